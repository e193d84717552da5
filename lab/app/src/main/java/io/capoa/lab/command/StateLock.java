package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/** Locks the state folder against a second lab; the system releases the lock when this process ends. */
final class StateLock implements AutoCloseable {

    /** Has the process id of the lab while it runs, for {@code lab/down} and {@code lab/reload}. */
    private static final String PID = "lab.pid";

    private final FileChannel channel;
    private final Path pid;

    private StateLock(FileChannel channel, Path pid) {
        this.channel = channel;
        this.pid = pid;
    }

    /**
     * Locks the folder and removes the files of an earlier run.
     *
     * @throws StateConflict if another lab has locked it
     * @throws ClusterException if it is not writable
     */
    static StateLock take(Path state) {
        try {
            Files.createDirectories(state);
            FileChannel channel =
                    FileChannel.open(state.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new StateConflict(
                        "Another lab runs with the state folder %s. Stop it with lab/down, or name another folder with --state."
                                .formatted(state));
            }
            Files.deleteIfExists(state.resolve("report.json"));
            Files.deleteIfExists(state.resolve("audit.log"));
            removeLogs(state.resolve("logs"));
            Path pid = state.resolve(PID);
            Files.writeString(pid, ProcessHandle.current().pid() + "\n");
            return new StateLock(channel, pid);
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot write to the state folder %s: %s. Make room or name another one with --state."
                            .formatted(state, e),
                    e);
        }
    }

    /** The lab that runs with the state folder. */
    static Optional<ProcessHandle> holder(Path state) {
        try {
            return ProcessHandle.of(
                            Long.parseLong(Files.readString(state.resolve(PID)).strip()))
                    .filter(ProcessHandle::isAlive);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Removes old logs of pods, whose names are different each time; the log of the lab itself is open already. */
    private static void removeLogs(Path logs) throws IOException {
        if (!Files.isDirectory(logs)) {
            return;
        }
        try (Stream<Path> files = Files.list(logs)) {
            for (Path log : files.filter(file -> !file.endsWith("lab.log")).toList()) {
                Files.deleteIfExists(log);
            }
        }
    }

    private static @org.jspecify.annotations.Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(pid);
            channel.close();
        } catch (IOException e) {
            // The system releases the lock with the process.
        }
    }
}
