package io.capoa.lab.provider;

import io.capoa.lab.pods.Program;
import io.capoa.lab.steady.DelayedEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The two providers of this project: their builds and components. */
public enum Provider {
    BOOTSTRAP("bootstrap-provider", "capoa-bootstrap", "bootstrap-openshift-assisted", "bootstrap-components.yaml"),
    CONTROL_PLANE(
            "controlplane-provider",
            "capoa-controlplane",
            "control-plane-openshift-assisted",
            "control-plane-components.yaml");

    /** Where fabric8 looks for the files of a ServiceAccount, which a pod in a cluster finds below {@code /var/run}. */
    private static final SortedMap<String, String> SERVICE_ACCOUNT = new TreeMap<>(Map.of(
            "KUBERNETES_MASTER", "$(API_SERVER)",
            "KUBERNETES_CERTS_CA_FILE", "$(API_SERVER_CA_FILE)",
            "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN", "$(TOKEN_FILE)",
            "KUBENAMESPACE", "$(NAMESPACE_FILE)"));

    private final String module;
    private final String prefix;
    private final String label;
    private final String components;

    Provider(String module, String prefix, String label, String components) {
        this.module = module;
        this.prefix = prefix;
        this.label = label;
        this.components = components;
    }

    /** Folder of the module, name of the program, and last element of the image's repository. */
    public String module() {
        return module;
    }

    public String namespace() {
        return prefix + "-system";
    }

    public String deployment() {
        return prefix + "-controller-manager";
    }

    /** User of the program on the management cluster. */
    public String user() {
        return "system:serviceaccount:%s:%s-controller-manager".formatted(namespace(), prefix);
    }

    /** The components file in a release. */
    public Path components(Path release, String version) {
        return release.resolve(label).resolve(version).resolve(components);
    }

    /** The runnable jar in a checkout. */
    public Path jar(Path root) {
        return root.resolve(module).resolve("target").resolve(module + ".jar");
    }

    /** The program for the image: the built jar with the JVM options of the image. Removes the class archive of older jars. */
    public Program program(Path root) {
        return program(root, DelayedEvents.jvmOptions());
    }

    /**
     * As {@link #program(Path)}.
     *
     * @param agents options for Java agents; with one, there is no class archive, because it changes classes
     */
    Program program(Path root, List<String> agents) {
        Path jar = jar(root);
        Path options = root.resolve("config").resolve("jvm.options");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + options);
        // Replaces the container limits that a JVM detects.
        command.add("-XX:MaxRAM=$(MEMORY_LIMIT)");
        command.add("-XX:ActiveProcessorCount=$(CPU_LIMIT)");
        command.addAll(agents);
        if (agents.isEmpty()) {
            // A class archive next to the jar, created at the first exit, halves the start time.
            Path archive = jar.resolveSibling(module + ".jsa");
            deleteIfOlder(archive, classpath(jar));
            command.add("-XX:+AutoCreateSharedArchive");
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.add("-Xlog:disable");
        command.addAll(List.of("-jar", jar.toString()));
        return new Program(
                "capoa/" + module,
                module,
                command,
                SERVICE_ACCOUNT,
                List.of(
                        "--metrics-bind-address=:8443",
                        "--health-probe-bind-address=:8081",
                        "--webhook-port=9443",
                        "--webhook-cert-dir=/tmp/k8s-webhook-server/serving-certs"),
                List.of(jar, options),
                "/app/jre/bin/java");
    }

    /** The jar, and the libraries beside it. */
    private static List<Path> classpath(Path jar) {
        Path libraries = jar.resolveSibling("lib");
        if (!Files.isDirectory(libraries)) {
            return List.of(jar);
        }
        try (Stream<Path> files = Files.list(libraries)) {
            return Stream.concat(Stream.of(jar), files).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + libraries, e);
        }
    }

    /** A JVM neither uses the archive of other jars nor replaces it. */
    private static void deleteIfOlder(Path archive, List<Path> jars) {
        try {
            for (Path jar : jars) {
                if (Files.exists(archive)
                        && Files.exists(jar)
                        && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                    Files.deleteIfExists(archive);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot replace the class archive " + archive, e);
        }
    }

    /** Whether the jar exists. */
    boolean isBuilt(Path root) {
        return Files.exists(jar(root));
    }
}
