package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Picks where etcd keeps its data: in memory where the machine has a file system for that. */
final class EtcdData {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    /** A management cluster of the lab stays well below this, in bytes. */
    private static final long ENOUGH = 1L << 30;

    private EtcdData() {}

    /** A new folder; {@code otherwise} is its parent where there is no memory file system with room. */
    static Path create(Path otherwise) {
        try {
            boolean inMemory = Files.isDirectory(IN_MEMORY)
                    && Files.isWritable(IN_MEMORY)
                    && Files.getFileStore(IN_MEMORY).getUsableSpace() > ENOUGH;
            return Files.createTempDirectory(inMemory ? IN_MEMORY : otherwise, "capoa-etcd-");
        } catch (IOException e) {
            throw new ClusterException("Cannot make a folder for etcd's data: " + e.getMessage(), e);
        }
    }

    /** Removes what etcd left, when it ended by itself. */
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
