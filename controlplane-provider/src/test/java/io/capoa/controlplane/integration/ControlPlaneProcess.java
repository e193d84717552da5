package io.capoa.controlplane.integration;

import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.steady.DelayedEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The control-plane provider as a process, with the flags and within the limits of its image and Deployment. */
final class ControlPlaneProcess implements AutoCloseable {

    private static final List<String> JVM = List.of(
            "@" + ProjectRoot.find().resolve("config").resolve("jvm.options"),
            "-XX:MaxRAM=320m",
            "-XX:ActiveProcessorCount=1");

    private final Process process;
    private final Path log;

    private ControlPlaneProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it without waiting; {@code -Dcapoa.log=FILE} keeps its log.
     *
     * @param namespaces watched namespaces
     * @param registriesConf registry configuration
     */
    static ControlPlaneProcess start(TestCluster cluster, Collection<String> namespaces, String registriesConf) {
        try {
            Path log = newLog();
            Evidence.log(log);
            Path conf = Files.writeString(Files.createTempFile("registries", ".conf"), registriesConf);
            conf.toFile().deleteOnExit();
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(JVM);
            command.addAll(DelayedEvents.jvmOptions());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), ControlPlaneProvider.class.getName()));
            command.add("--kubeconfig=" + cluster.kubeconfigOf(KnownUsers.CONTROL_PLANE_PROVIDER));
            command.addAll(List.of("--metrics-bind-address=0", "--health-probe-bind-address=0", "--webhook-port=0"));
            command.add("--namespace=" + String.join(",", namespaces));
            command.add("--registries-conf=" + conf);
            return new ControlPlaneProcess(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start(),
                    log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path newLog() throws IOException {
        if (System.getProperty("capoa.log") != null) {
            return Path.of(System.getProperty("capoa.log"));
        }
        Path log = Files.createTempFile("controlplane-provider", ".log");
        log.toFile().deleteOnExit();
        return log;
    }

    /** Whether it is the process that was started, and not the successor that a kubelet would have started. */
    boolean lives() {
        return process.isAlive();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
