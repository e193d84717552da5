package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Locks the state folder against a second lab; the system releases the lock when this process ends. */
final class StateLock implements AutoCloseable {

    private final FileChannel channel;

    private StateLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the folder and removes the files of an earlier run.
     *
     * @throws ClusterException if another lab has locked it, or it is not writable
     */
    static StateLock take(Path state) {
        try {
            Files.createDirectories(state);
            FileChannel channel =
                    FileChannel.open(state.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new ClusterException(
                        "Another lab runs with the state folder %s. Stop it, or name another one with --state."
                                .formatted(state));
            }
            Files.deleteIfExists(state.resolve("report.json"));
            Files.deleteIfExists(state.resolve("audit.log"));
            removeLogs(state.resolve("logs"));
            return new StateLock(channel);
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot write to the state folder %s: %s. Make room or name another one with --state."
                            .formatted(state, e),
                    e);
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
            channel.close();
        } catch (IOException e) {
            // The system releases the lock with the process.
        }
    }
}
