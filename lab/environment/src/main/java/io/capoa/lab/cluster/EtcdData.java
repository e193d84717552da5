package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of etcd's data.
 *
 * @param folder the data directory
 * @param kept whether the folder outlives etcd
 */
record EtcdData(Path folder, boolean kept) {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    /** Required space in bytes, far above what a management cluster of the lab uses. */
    private static final long ENOUGH = 1L << 30;

    /**
     * A temporary folder, in memory if the machine has a suitable file system.
     *
     * @param saved data of an etcd that was stopped, which are copied; empty for a new cluster
     * @param otherwise parent folder where there is no memory file system with enough space
     */
    static EtcdData temporary(Optional<Path> saved, Path otherwise) {
        try {
            boolean inMemory = Files.isDirectory(IN_MEMORY)
                    && Files.isWritable(IN_MEMORY)
                    && Files.getFileStore(IN_MEMORY).getUsableSpace() > ENOUGH;
            EtcdData data =
                    new EtcdData(Files.createTempDirectory(inMemory ? IN_MEMORY : otherwise, "capoa-etcd-"), false);
            if (saved.isPresent()) {
                copy(saved.get(), data.folder());
            }
            return data;
        } catch (IOException e) {
            throw new ClusterException("Cannot create a folder for etcd's data: " + e.getMessage(), e);
        }
    }

    /** The folder as {@link ChildCommand#removingAfterwards} takes it. */
    Optional<Path> removedAfterwards() {
        return kept ? Optional.empty() : Optional.of(folder);
    }

    /** Removes temporary data after etcd has exited unexpectedly. */
    void remove() {
        if (!kept && Files.exists(folder)) {
            removeAll(folder);
        }
    }

    static void removeAll(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("Cannot remove etcd's data in " + folder + ": " + e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(from)) {
            all = found.filter(path -> !path.equals(from)).toList();
        }
        for (Path path : all) {
            Files.copy(path, to.resolve(from.relativize(path).toString()));
        }
    }
}
