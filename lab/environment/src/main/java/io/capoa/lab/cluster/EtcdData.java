package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Chooses the folder of etcd's data: in memory if the machine has a suitable file system. */
final class EtcdData {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    /** Required space in bytes, far above what a management cluster of the lab uses. */
    private static final long ENOUGH = 1L << 30;

    private EtcdData() {}

    /** Creates a folder, in {@code otherwise} if there is no memory file system with enough space. */
    static Path create(Path otherwise) {
        try {
            boolean inMemory = Files.isDirectory(IN_MEMORY)
                    && Files.isWritable(IN_MEMORY)
                    && Files.getFileStore(IN_MEMORY).getUsableSpace() > ENOUGH;
            return Files.createTempDirectory(inMemory ? IN_MEMORY : otherwise, "capoa-etcd-");
        } catch (IOException e) {
            throw new ClusterException("Cannot create a folder for etcd's data: " + e.getMessage(), e);
        }
    }

    /** Removes the data after etcd has exited unexpectedly. */
    static void remove(Path data) {
        if (!Files.exists(data)) {
            return;
        }
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("Cannot remove etcd's data in " + data + ": " + e);
        }
    }
}
