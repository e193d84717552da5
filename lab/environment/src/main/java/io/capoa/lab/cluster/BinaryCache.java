package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Cache of built or downloaded programs in the user's cache directory, keyed by their sources. */
final class BinaryCache implements BinarySource {

    private static final ReentrantLock WITHIN_THIS_PROCESS = new ReentrantLock();
    private static final String HALF = ".half";

    private final Path root;
    private final Path folder;

    private BinaryCache(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /** Below {@code $XDG_CACHE_HOME}, else {@code ~/.cache}. */
    static BinaryCache of(Path root, Map<String, String> environment) {
        String xdg = environment.get("XDG_CACHE_HOME");
        Path base = xdg != null && !xdg.isBlank()
                ? Path.of(xdg)
                : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache");
        return new BinaryCache(root, base.resolve("capoa").resolve("bin"));
    }

    @Override
    public Optional<Path> get(Tool tool) {
        return Optional.of(fileOf(tool)).filter(Files::isExecutable);
    }

    /** Path of the program in the cache. */
    Path fileOf(Tool tool) {
        return folder.resolve(GoRecipe.of(root, tool).cacheName()).resolve(tool.executable());
    }

    /**
     * Creates the program unless another process has done so meanwhile. The maker writes a temporary file, which is
     * then renamed.
     */
    Path make(Tool tool, Maker maker) {
        Path file = fileOf(tool);
        WITHIN_THIS_PROCESS.lock();
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel channel =
                    FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // Released with the channel.
                FileLock amongProcesses = channel.lock();
                if (amongProcesses.isValid() && !Files.isExecutable(file)) {
                    makeWhole(tool, maker, file);
                }
            }
            return file;
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot write %s into the cache folder %s: %s. Make room or make it writable, or set XDG_CACHE_HOME to another folder."
                            .formatted(tool.executable(), folder, reason(e)),
                    e);
        } finally {
            WITHIN_THIS_PROCESS.unlock();
        }
    }

    private static void makeWhole(Tool tool, Maker maker, Path file) throws IOException {
        Path half = file.resolveSibling("." + tool.executable() + HALF);
        // Left by an interrupted maker.
        Files.deleteIfExists(half);
        maker.make(half);
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Message of an exception; some of java.nio contain only a file name. */
    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }

    /** Writes the program to the given file. */
    @FunctionalInterface
    interface Maker {
        void make(Path file) throws IOException;
    }
}
