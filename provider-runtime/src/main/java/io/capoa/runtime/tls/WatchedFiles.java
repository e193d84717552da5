package io.capoa.runtime.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Notices that files have been written, replaced or reached by another link: the kubelet swaps a symbolic link. They are
 * looked at on demand, at most a few times a second.
 */
final class WatchedFiles {

    private static final long LOOK_AGAIN_NANOS = 200_000_000;

    private final List<Path> files;
    private boolean looked;
    private long lookedAt;
    private List<String> seen = List.of();

    WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Whether they are others than at the call before; always at the first. */
    boolean changed() {
        if (looked && System.nanoTime() - lookedAt < LOOK_AGAIN_NANOS) {
            return false;
        }
        List<String> found = files.stream().map(WatchedFiles::fingerprint).toList();
        boolean changed = !looked || !found.equals(seen);
        looked = true;
        lookedAt = System.nanoTime();
        seen = found;
        return changed;
    }

    private static String fingerprint(Path file) {
        try {
            return file.toRealPath() + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
        } catch (IOException absent) {
            return "";
        }
    }
}
