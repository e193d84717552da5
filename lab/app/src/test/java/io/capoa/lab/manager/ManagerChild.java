package io.capoa.lab.manager;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.Ports;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.pods.Memory;
import io.capoa.lab.steady.DelayedEvents;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A manager process with its probes and log. */
public final class ManagerChild implements AutoCloseable {

    /** Lock of suites with an API server and both providers of their own: one such suite is enough for a small machine. */
    public static final String BOTH_PROVIDERS = "both providers on an API server of their own";

    /** Lock of suites with one provider in a namespace of the shared API server. */
    static final String ONE_PROVIDER = "one provider on the shared API server";

    /** Longest time for what takes a manager seconds on an idle machine: a start alone is some seconds of CPU time. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Memory limit of their Deployments, in bytes. */
    public static final long LIMIT = 320L << 20;

    /** Columns of {@code /proc/PID/net/tcp}, from 0, and its code of an open connection. */
    private static final int REMOTE = 2;

    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String ESTABLISHED = "01";

    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path log;
    private final int healthPort;
    private final int metricsPort;

    private ManagerChild(Process process, Path log, int healthPort, int metricsPort) {
        this.process = process;
        this.log = log;
        this.healthPort = healthPort;
        this.metricsPort = metricsPort;
    }

    static ManagerChild start(Path folder, Path kubeconfig, String... arguments) throws IOException {
        return start(folder, kubeconfig, freePort(), arguments);
    }

    static ManagerChild start(Path folder, Path kubeconfig, int metrics, String... arguments) throws IOException {
        return start(SampleProvider.class, folder, kubeconfig, metrics, arguments);
    }

    /** One of the providers. */
    public static ManagerChild startProvider(Class<?> main, Path folder, Path kubeconfig, String... arguments)
            throws IOException {
        return start(main, folder, kubeconfig, freePort(), arguments);
    }

    /** The same within the limits of its Deployment. */
    public static ManagerChild startShipped(Class<?> main, Path folder, Path kubeconfig, String... arguments)
            throws IOException {
        var limits = List.of("-XX:MaxRAM=" + LIMIT, "-XX:ActiveProcessorCount=1");
        return start(limits, main, folder, kubeconfig, freePort(), arguments);
    }

    private static ManagerChild start(Class<?> main, Path folder, Path kubeconfig, int metrics, String... arguments)
            throws IOException {
        return start(List.of(), main, folder, kubeconfig, metrics, arguments);
    }

    private static ManagerChild start(
            List<String> limits, Class<?> main, Path folder, Path kubeconfig, int metrics, String... arguments)
            throws IOException {
        int health = freePort();
        var log = Files.createTempFile(folder, "manager", ".log");
        Evidence.log(log);
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Of its image. A class archive suits the options that it was made with.
        command.add("@" + ProjectRoot.find().resolve("config/jvm.options"));
        command.addAll(limits);
        command.addAll(DelayedEvents.jvmOptions());
        command.addAll(classes(main));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "--kubeconfig",
                kubeconfig.toString(),
                "--health-probe-bind-address=127.0.0.1:" + health,
                "--metrics-bind-address=127.0.0.1:" + metrics));
        if (!List.of(arguments).contains("--metrics-secure")) {
            command.add("--metrics-secure=false");
        }
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .put(
                        "TERMINATION_MESSAGE_PATH",
                        Files.createFile(terminationMessage(log)).toString());
        var process = builder.start();
        return new ManagerChild(process, log, health, metrics);
    }

    /**
     * Options for the classes: the jar, if this build has packaged the program, and the class archive that the lab's pods
     * have left beside it, which saves a third of the CPU time of a start.
     */
    private static List<String> classes(Class<?> main) {
        Path source = Path.of(URI.create(
                main.getProtectionDomain().getCodeSource().getLocation().toString()));
        if (!Files.isRegularFile(source)) {
            return List.of("-cp", System.getProperty("java.class.path"));
        }
        Path archive = source.resolveSibling(source.getFileName().toString().replace(".jar", ".jsa"));
        return Files.exists(archive)
                ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-cp", source.toString())
                : List.of("-cp", source.toString());
    }

    /** What it wrote for its pod's status; empty without. */
    String terminationMessage() throws IOException {
        return Files.readString(terminationMessage(log));
    }

    private static Path terminationMessage(Path log) {
        return log.resolveSibling(log.getFileName() + ".termination");
    }

    /** Status and body of a probe; status 0 without a response. */
    Probe probe(String path) {
        return get(healthPort, path);
    }

    String metrics() {
        return get(metricsPort, "/metrics").body();
    }

    int healthPort() {
        return healthPort;
    }

    /** Number of open file descriptors; skips the test if the system does not list them. */
    long openFiles() throws IOException {
        var descriptors = Path.of("/proc/" + process.pid() + "/fd");
        assumeTrue(Files.isDirectory(descriptors), "this system does not list the open files of a process");
        try (var files = Files.list(descriptors)) {
            return files.count();
        }
    }

    /** Number of open TCP connections to a port; skips the test if the system does not list them. */
    long connections(int port) throws IOException {
        var tables = Stream.of("tcp", "tcp6")
                .map(name -> Path.of("/proc/" + process.pid() + "/net/" + name))
                .filter(Files::exists)
                .toList();
        assumeTrue(!tables.isEmpty(), "this system does not list the connections of a process");
        Set<String> own = sockets();
        long count = 0;
        for (var table : tables) {
            count += Files.readAllLines(table).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields[REMOTE].endsWith(String.format(":%04X", port)))
                    .filter(fields -> fields[STATE].equals(ESTABLISHED) && own.contains(fields[INODE]))
                    .count();
        }
        return count;
    }

    /** The inodes of the process's sockets. */
    private Set<String> sockets() throws IOException {
        var inodes = new HashSet<String>();
        try (var files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (var file : files.toList()) {
                var matcher = SOCKET.matcher(target(file));
                if (matcher.matches()) {
                    inodes.add(matcher.group(1));
                }
            }
        }
        return inodes;
    }

    /** Of a file that has just been closed nothing. */
    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    int metricsPort() {
        return metricsPort;
    }

    /** Memory that counts against the limit of a container, in bytes; skips the test if the system does not report it. */
    public long memory() {
        var used = Memory.used(process.pid());
        assumeTrue(used.isPresent() || !isRunning(), "this system does not report the memory of a process");
        return used.orElse(0);
    }

    /** Whether the process is still running. */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Whether its probe says so; fails for a process that has ended, so that a test does not wait in vain. */
    public boolean isReady() {
        if (!isRunning()) {
            throw new AssertionError(
                    "The manager has ended with exit code %d: see %s".formatted(process.exitValue(), log));
        }
        return probe("/readyz").status() == 200;
    }

    public String log() throws IOException {
        return Files.readString(log);
    }

    void terminate() {
        process.destroy();
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Waits for the exit code of one that cannot start; fails if it does not end. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE)) {
            throw new AssertionError(
                    "The manager has not ended within %d s: see %s".formatted(PATIENCE.toSeconds(), log));
        }
        return process.exitValue();
    }

    /** Waits for the exit code; -1 after a timeout. */
    int exitCode(int seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    /** Kills it; returns when it has ended, so that it neither answers nor writes any more, and its ports are free. */
    @Override
    public void close() {
        kill();
        process.onExit().join();
    }

    private static Probe get(int port, String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            var response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return new Probe(response.statusCode(), response.body());
        } catch (IOException ignored) {
            return new Probe(0, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Probe(0, "");
        }
    }

    public static int freePort() {
        return Ports.free(1).getFirst();
    }

    /** Response of a probe. */
    record Probe(int status, String body) {}
}
