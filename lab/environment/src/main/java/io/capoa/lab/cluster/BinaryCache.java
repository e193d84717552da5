package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Cache of built or downloaded programs in the user's cache directory, keyed by their sources. */
final class BinaryCache implements BinarySource {

    private static final ReentrantLock WITHIN_THIS_PROCESS = new ReentrantLock();
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
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
        return folder(GoRecipe.of(root, tool)).resolve(tool.executable());
    }

    /** Folder of the programs of a recipe. */
    Path folder(GoRecipe recipe) {
        return folder.resolve(recipe.cacheName());
    }

    /** Does the work while no other process of this user does such work; says so while it waits for one. */
    void exclusively(MakingProgress progress, Runnable work) {
        WITHIN_THIS_PROCESS.lock();
        try {
            Files.createDirectories(folder);
            // The lock is released with the channel.
            try (FileChannel channel = FileChannel.open(
                    folder.resolve(".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                FileLock held = lock(channel, progress);
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(
                        String.valueOf(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
                work.run();
                held.release();
            }
        } catch (IOException e) {
            throw unwritable("programs", e);
        } finally {
            WITHIN_THIS_PROCESS.unlock();
        }
    }

    private FileLock lock(FileChannel channel, MakingProgress progress) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock != null) {
            return lock;
        }
        String what = "Waiting for process %s, which builds or downloads programs into %s"
                .formatted(Files.readString(folder.resolve(".lock")), folder);
        progress.beginWaiting(what + " …");
        try {
            while (lock == null) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES.toMillis());
                progress.stillWaiting(what);
                lock = channel.tryLock();
            }
            return lock;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted: " + what + ".", e);
        }
    }

    /** Creates the program unless it is there. The maker writes a temporary file, which is then renamed. */
    <F extends Exception> Path make(Tool tool, Maker<F> maker) throws F {
        Path file = fileOf(tool);
        try {
            if (!Files.isExecutable(file)) {
                Files.createDirectories(file.getParent());
                makeWhole(tool, maker, file);
            }
            return file;
        } catch (IOException e) {
            throw unwritable(tool.executable(), e);
        }
    }

    private static <F extends Exception> void makeWhole(Tool tool, Maker<F> maker, Path file) throws IOException, F {
        Path half = file.resolveSibling("." + tool.executable() + HALF);
        // Left by an interrupted maker.
        Files.deleteIfExists(half);
        maker.make(half);
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The error of a folder that is full or read-only. */
    ClusterException unwritable(String what, IOException e) {
        // The message of some exceptions of java.nio is only a file name.
        return new ClusterException(
                "Cannot write %s into the cache folder %s: %s %s. Make room or make it writable, or set XDG_CACHE_HOME to another folder."
                        .formatted(what, folder, e.getClass().getSimpleName(), e.getMessage()),
                e);
    }

    /**
     * Writes the program to the given file.
     *
     * @param <F> how it can fail, other than by writing
     */
    @FunctionalInterface
    interface Maker<F extends Exception> {
        void make(Path file) throws IOException, F;
    }
}
