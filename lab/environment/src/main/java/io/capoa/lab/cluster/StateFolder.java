package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder of a cluster's files: the caller's, which is kept, or a temporary one, which is deleted. */
final class StateFolder implements AutoCloseable {

    private final Path path;
    private final boolean temporary;

    private StateFolder(Path path, boolean temporary) {
        this.path = path;
        this.temporary = temporary;
    }

    static StateFolder of(Optional<Path> wanted) {
        try {
            if (wanted.isPresent()) {
                return new StateFolder(Files.createDirectories(wanted.get().toAbsolutePath()), false);
            }
            StateFolder folder = new StateFolder(Files.createTempDirectory("capoa-cluster-"), true);
            Runtime.getRuntime().addShutdownHook(new Thread(folder::close, "remove " + folder.path));
            return folder;
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot make the folder for the cluster's files: %s. Make room, or name another folder."
                            .formatted(e),
                    e);
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        if (!temporary || !Files.exists(path)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException e) {
            return;
        }
        for (Path file : deepestFirst) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // A process that is exiting may still write; the rest stays in the system's temporary folder.
            }
        }
    }
}
