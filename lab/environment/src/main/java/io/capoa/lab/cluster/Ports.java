package io.capoa.lab.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Picks free loopback ports. They lie below those that the system gives to connections and to listeners without a wish, and a
 * process picks each but once before it begins again: nothing takes one between its choice and its use but a program that
 * names the same.
 */
public final class Ports {

    private static final int FIRST = 10_000;
    /** The system's own begin here on Linux, and later elsewhere. */
    private static final int END = 32_768;

    /** From another place in each process, because several choose at the same time. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(END - FIRST));

    private Ports() {}

    /** Distinct ports that are free at this moment. */
    public static List<Integer> free(int count) {
        return Stream.generate(() -> FIRST + Math.floorMod(NEXT.getAndIncrement(), END - FIRST))
                .limit(END - FIRST)
                .filter(Ports::isFree)
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
