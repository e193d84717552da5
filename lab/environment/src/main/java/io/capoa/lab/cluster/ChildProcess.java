package io.capoa.lab.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A child process that never outlives this JVM, even if the JVM is killed.
 *
 * <p>A small shell script with a pipe to this JVM supervises the command: when the pipe is closed, the script sends
 * TERM and, after a grace period, KILL. Both are in another process group than the terminal's foreground, so that
 * Ctrl-C reaches only this JVM, which then stops its children in order.
 */
public final class ChildProcess implements AutoCloseable {

    private static final int QUOTED_LINES = 12;

    private final String name;
    private final Path log;
    private final Duration grace;
    private final Process supervisor;
    private final OutputStream leash;
    private final long pid;

    private volatile boolean stopping;

    private ChildProcess(ChildCommand command, Process supervisor, long pid) {
        this.name = command.name();
        this.log = command.log();
        this.grace = command.grace();
        this.supervisor = supervisor;
        this.leash = supervisor.getOutputStream();
        this.pid = pid;
    }

    /** Starts the command; {@code unexpectedExit} is called if it exits without having been stopped. */
    static ChildProcess start(ChildCommand command, Consumer<Exit> unexpectedExit) {
        try {
            Files.createDirectories(command.log().toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(SupervisorScript.commandLine(command));
            command.directory().ifPresent(directory -> builder.directory(directory.toFile()));
            Map<String, String> environment = builder.environment();
            if (command.ownEnvironment()) {
                environment.keySet().retainAll(Set.of("PATH"));
            }
            environment.putAll(command.environment());
            builder.redirectError(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
            Process supervisor = builder.start();
            ChildProcess child = new ChildProcess(command, supervisor, readPid(command, supervisor));
            var unused = supervisor.onExit().thenAccept(ended -> {
                if (!child.stopping) {
                    unexpectedExit.accept(child.exit(ended.exitValue()));
                }
            });
            return child;
        } catch (IOException e) {
            throw new ClusterException("Cannot start %s: %s".formatted(command.name(), e.getMessage()), e);
        }
    }

    private static long readPid(ChildCommand command, Process supervisor) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(supervisor.getInputStream(), StandardCharsets.UTF_8));
        String line = reader.readLine();
        if (line == null) {
            supervisor.destroyForcibly();
            throw new IOException("its supervisor exited at once; see " + command.log());
        }
        return Long.parseLong(line.strip());
    }

    public String name() {
        return name;
    }

    /** Process id of the command, not of its supervisor. */
    public long pid() {
        return pid;
    }

    public Path log() {
        return log;
    }

    public boolean isAlive() {
        return supervisor.isAlive();
    }

    /** Completes with the exit code when the command has exited for any reason. */
    public CompletableFuture<Integer> ended() {
        return supervisor.onExit().thenApply(Process::exitValue);
    }

    /** The last lines of the log. */
    public List<String> logTail() {
        return LogTail.of(log, QUOTED_LINES);
    }

    /** How it exited; only after it has. */
    public Exit exit() {
        return exit(supervisor.exitValue());
    }

    private Exit exit(int code) {
        return new Exit(name, code, log, logTail());
    }

    /** Sends TERM without waiting. */
    public void stopping() {
        stopping = true;
        try {
            leash.close();
        } catch (IOException e) {
            // Supervisor and command have exited already.
        }
    }

    /** Stops the command: TERM, after the grace period KILL; returns when it has exited. */
    public void stop() {
        stopping();
        try {
            if (!supervisor.waitFor(grace.toMillis() + 5_000, TimeUnit.MILLISECONDS)) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                supervisor.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** How a command exited. */
    public record Exit(String name, int code, Path log, List<String> lastLines) {

        /** A sentence that quotes the log. */
        public String describe() {
            return "%s ended with exit code %d. Last lines of %s:%n  %s"
                    .formatted(
                            name,
                            code,
                            log,
                            lastLines.isEmpty() ? "(empty)" : String.join(System.lineSeparator() + "  ", lastLines));
        }
    }
}
