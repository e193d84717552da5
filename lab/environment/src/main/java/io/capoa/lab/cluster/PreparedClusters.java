package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Local clusters that are management clusters from their start: etcd begins with the data of one that was prepared
 * before, which costs a quarter of the CPU time of creating all CRDs.
 *
 * <p>The data lie below {@code target} of the checkout, one folder for each combination of programs and manifests; the
 * first start of a combination writes it.
 */
public final class PreparedClusters {

    private static final ReentrantLock WITHIN_THIS_PROCESS = new ReentrantLock();
    private static final int KEPT = 4;

    private PreparedClusters() {}

    /** Starts a cluster with default settings, as {@link #start(LocalCluster.Builder)}. */
    public static LocalCluster start() {
        return start(LocalCluster.builder());
    }

    /**
     * Starts a cluster; returns when it is ready and prepared as by {@link ManagementCluster#prepare}, with
     * {@link ManagementCluster#usedKinds} only.
     *
     * @throws ClusterException if the start fails; nothing is left running
     */
    public static LocalCluster start(LocalCluster.Builder settings) {
        Binaries programs = Binaries.ofThisProcess();
        LocalCluster cluster =
                settings.binaries(programs).saved(saved(programs)).start();
        try {
            ManagementCluster.on(cluster).usedKinds().resume();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static Path saved(Binaries programs) {
        Path folder = ProjectRoot.find().resolve("target").resolve("prepared-clusters");
        Path data = folder.resolve(key(programs));
        WITHIN_THIS_PROCESS.lock();
        try {
            Files.createDirectories(folder);
            try (FileChannel channel =
                    FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // Released with the channel.
                FileLock amongProcesses = channel.lock();
                if (amongProcesses.isValid() && !Files.isDirectory(data)) {
                    removeOldest(folder);
                    save(programs, data);
                }
            }
            return data;
        } catch (IOException e) {
            throw new ClusterException("Cannot save a prepared cluster below %s: %s".formatted(folder, e), e);
        } finally {
            WITHIN_THIS_PROCESS.unlock();
        }
    }

    private static void save(Binaries programs, Path data) throws IOException {
        Path half = data.resolveSibling(".half");
        if (Files.exists(half)) {
            // Left by an interrupted run.
            EtcdData.removeAll(half);
        }
        try (LocalCluster cluster = LocalCluster.builder()
                .binaries(programs)
                .keepingData(Files.createDirectories(half))
                .start()) {
            ManagementCluster management = ManagementCluster.on(cluster).usedKinds();
            management.prepare();
            management.suspend();
        }
        Files.move(half, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void removeOldest(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            all.filter(Files::isDirectory)
                    .sorted(Comparator.comparingLong(
                                    (Path data) -> data.toFile().lastModified())
                            .reversed())
                    .skip(KEPT - 1L)
                    .toList()
                    .forEach(EtcdData::removeAll);
        }
    }

    /** Digest of all that decides about the data: the programs' files, CRDs and roles. */
    private static String key(Binaries programs) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            programs.provide(Tool.CONTROL_PLANE);
            for (Tool tool : Tool.CONTROL_PLANE) {
                Optional<Path> program = programs.find(tool);
                digest.update((program + " " + (program.isPresent() ? Files.size(program.get()) : 0))
                        .getBytes(StandardCharsets.UTF_8));
            }
            for (Path file : ManagementCluster.sources(ProjectRoot.find())) {
                digest.update(file.toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (IOException e) {
            throw new ClusterException("Cannot read what a prepared cluster is made from: " + e, e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
