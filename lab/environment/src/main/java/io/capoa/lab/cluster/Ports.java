package io.capoa.lab.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Picks free loopback ports. They lie below those that the system gives to connections and to listeners without a wish, and
 * what one process has picked is no other's until that process exits: nothing takes a port between its choice and its use but
 * a program that names the same.
 */
public final class Ports {

    private static final int FIRST = 10_000;
    /** The system's own begin here on Linux, and later elsewhere. */
    private static final int END = 32_768;

    /** From another place in each process, so that most ports are free at the first look. */
    private static final Ports OF_THIS_PROCESS =
            new Ports(ThreadLocalRandom.current().nextInt(FIRST, END));

    /** One byte for each port, locked by the process that has picked it. Opened once: a second close would end all locks. */
    private static @Nullable FileChannel picked;

    private final AtomicInteger next;

    Ports(int first) {
        this.next = new AtomicInteger(first - FIRST);
    }

    /** Distinct ports that are free at this moment. */
    public static List<Integer> free(int count) {
        return OF_THIS_PROCESS.pick(count);
    }

    List<Integer> pick(int count) {
        return Stream.generate(() -> FIRST + Math.floorMod(next.getAndIncrement(), END - FIRST))
                .limit(END - FIRST)
                .filter(Ports::isFree)
                .filter(Ports::isMine)
                .limit(count)
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static boolean isMine(int port) {
        try {
            return picked().tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException pickedBefore) {
            return false;
        } catch (IOException e) {
            throw new ClusterException("Cannot reserve port %d for this process: %s".formatted(port, e), e);
        }
    }

    private static synchronized FileChannel picked() {
        if (picked == null) {
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "capoa-ports-" + System.getProperty("user.name"));
            try {
                picked = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            } catch (IOException e) {
                throw new ClusterException(
                        "Cannot write %s, by which processes share the free ports out: %s".formatted(file, e), e);
            }
        }
        return picked;
    }

    /**
     * Checks that a port of the loopback interface is free.
     *
     * @throws ClusterException if it is in use
     */
    static void requireFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            socket.setReuseAddress(true);
        } catch (IOException e) {
            throw new ClusterException(
                    "Port %d of 127.0.0.1 is taken (%s). Name another one, or none to get a free one."
                            .formatted(port, e.getMessage()),
                    e);
        }
    }
}
