package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A release in a folder.
 *
 * @param version such as {@code v0.2.0}
 */
record DistRelease(Path folder, String version) {

    static final String VERSION = "v0.2.0";
    static final String BOOTSTRAP = "bootstrap-openshift-assisted";
    static final String CONTROL_PLANE = "control-plane-openshift-assisted";

    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Pattern DOCUMENT_END = Pattern.compile("^---$", Pattern.MULTILINE);

    /** Output and exit code of the command. */
    record Ended(int code, String said) {}

    /** Manifests of a version, built by the command. */
    static DistRelease manifests(Path folder, String version) {
        Ended ended = run("--manifests-only", "--version", version, "--out", folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        return new DistRelease(folder, version);
    }

    /** Manifests of a version with the files that name its release page. */
    static DistRelease withPage(Path folder, String version, String source) {
        Ended ended = run("--manifests-only", "--version", version, "--source", source, "--out", folder.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        return new DistRelease(folder, version);
    }

    /** Manifests of {@link #VERSION}, built once in a process; only to be read. */
    static DistRelease built() {
        return Built.RELEASE;
    }

    private static final class Built {

        private static final DistRelease RELEASE = manifests(folder(), VERSION);

        private static Path folder() {
            try {
                Path target = ProjectRoot.find().resolve("lab/app/target");
                return Files.createTempDirectory(Files.createDirectories(target), "release");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Runs the command with the lab's own kubectl. */
    static Ended run(String... arguments) {
        try {
            Path root = ProjectRoot.find();
            List<String> command =
                    new ArrayList<>(List.of(root.resolve("config/release").toString()));
            command.addAll(Arrays.asList(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment()
                    .put(
                            "KUBECTL",
                            Binaries.ofThisProcess().require(Tool.KUBECTL).toString());
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All files by their paths in the release. */
    SortedMap<String, String> files() {
        SortedMap<String, String> files = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path file : paths.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /** One file of a provider. */
    String file(String provider, String name) {
        try {
            return Files.readString(folder.resolve(provider).resolve(version).resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The components of a provider, with default values. */
    List<GenericKubernetesResource> components(String provider) {
        return components(provider, Map.of());
    }

    /** The same with some values. */
    List<GenericKubernetesResource> components(String provider, Map<String, String> values) {
        String name = (provider.equals(BOOTSTRAP) ? "bootstrap" : "control-plane") + "-components.yaml";
        return objects(Variables.fill(file(provider, name), values));
    }

    /** The objects of a YAML file. */
    static List<GenericKubernetesResource> objects(String yaml) {
        return DOCUMENT_END
                .splitAsStream(yaml)
                .map(document -> YAML.unmarshal(document, GenericKubernetesResource.class))
                .toList();
    }
}
