package io.capoa.bootstrap.integration;

import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.Ports;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.report.ProcessFigures;
import io.capoa.lab.report.ReconcileTriggers;
import io.capoa.lab.steady.DelayedEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The bootstrap provider as a process, with its own user and rights. */
final class BootstrapProcess implements AutoCloseable {

    /**
     * Lock of suites that start providers of their own. There are two such locks: two of these suites run at a time, beside
     * those on {@link Scenes}; more providers that start at once only delay each other.
     */
    static final String FIRST_LANE = "first lane of suites with a provider of their own";

    /** As {@link #FIRST_LANE}. */
    static final String SECOND_LANE = "second lane of suites with a provider of their own";

    /** Command line of the image, with the limits of the shipped manifest. */
    private static final List<String> JVM = List.of(
            "@" + ProjectRoot.find().resolve("config").resolve("jvm.options"),
            "-XX:MaxRAM=320m",
            "-XX:ActiveProcessorCount=1");

    private final Process process;
    private final Path log;
    private final int metrics;

    private BootstrapProcess(Process process, Path log, int metrics) {
        this.process = process;
        this.log = log;
        this.metrics = metrics;
        saveLogOnFailure();
    }

    /** If the running test fails, the end of the log is saved. */
    void saveLogOnFailure() {
        Evidence.log(log);
    }

    /**
     * Starts it without waiting; {@code -Dcapoa.log=FILE} keeps its log, {@code -Dcapoa.jvm} adds JVM flags, separated
     * by blanks or semicolons.
     */
    static BootstrapProcess start(TestCluster cluster, String... flags) {
        return start(cluster, Map.of(), flags);
    }

    /** The same with the rights of another user. */
    static BootstrapProcess startAs(String user, TestCluster cluster, String... flags) {
        return start(user, cluster, Map.of(), flags);
    }

    /** The same with additional environment variables. */
    static BootstrapProcess start(TestCluster cluster, Map<String, String> environment, String... flags) {
        return start(KnownUsers.BOOTSTRAP_PROVIDER, cluster, environment, flags);
    }

    private static BootstrapProcess start(
            String user, TestCluster cluster, Map<String, String> environment, String... flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(DelayedEvents.jvmOptions());
        command.addAll(
                List.of(System.getProperty("capoa.jvm", "-XX:-UsePerfData").split("[ ;]")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BootstrapProvider.class.getName()));
        command.add("--kubeconfig=" + cluster.kubeconfigOf(user));
        int metrics = Ports.free(1).getFirst();
        command.addAll(List.of(
                "--metrics-bind-address=127.0.0.1:" + metrics,
                "--metrics-secure=false",
                "--health-probe-bind-address=0",
                "--webhook-port=0"));
        command.addAll(List.of(flags));
        try {
            Path log = newLog();
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            return new BootstrapProcess(builder.start(), log, metrics);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reconciles so far, by the event source that woke them. */
    ReconcileTriggers triggers() {
        return ReconcileTriggers.at(metrics);
    }

    private static Path newLog() throws IOException {
        if (System.getProperty("capoa.log") != null) {
            return Path.of(System.getProperty("capoa.log"));
        }
        Path log = Files.createTempFile("bootstrap-provider", ".log");
        log.toFile().deleteOnExit();
        return log;
    }

    /** Its CPU time and memory so far. */
    ProcessFigures figures() {
        return ProcessFigures.of(process.pid()).orElseThrow();
    }

    /** Kills it with SIGKILL. */
    Kill kill() {
        Instant begin = Instant.now();
        process.destroyForcibly();
        int unused = await();
        return new Kill(begin, Instant.now());
    }

    /** The time of a kill. The API server logs requests that it cuts off as failed. */
    record Kill(Instant begin, Instant end) {

        boolean cutOff(AuditEntry request) {
            return !request.received().isAfter(end) && !request.time().isBefore(begin);
        }
    }

    @Override
    public void close() {
        process.destroy();
        int code = await();
        if (code != 0) {
            throw new IllegalStateException("The bootstrap provider ended with code " + code);
        }
    }

    private int await() {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
