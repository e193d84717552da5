package io.capoa.lab.bootstrap;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bootstrap provider as a process of its own, under its own identity and rights. */
final class BootstrapProcess implements AutoCloseable {

    private final Process process;

    private BootstrapProcess(Process process) {
        this.process = process;
    }

    static BootstrapProcess start(TestCluster cluster) {
        try {
            Path log = Files.createTempFile("bootstrap-provider", ".log");
            log.toFile().deleteOnExit();
            return new BootstrapProcess(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx192m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            BootstrapProvider.class.getName(),
                            "--kubeconfig=" + cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER),
                            "--metrics-bind-address=0",
                            "--health-probe-bind-address=0")
                    .redirectErrorStream(true)
                    .redirectOutput(
                            System.getProperty("capoa.log") == null
                                    ? log.toFile()
                                    : Path.of(System.getProperty("capoa.log")).toFile())
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("The bootstrap provider ended with code " + code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
