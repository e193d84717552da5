package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Picks free loopback ports; another process may take one before it is used, so callers retry. */
public final class Ports {

    private Ports() {}

    /** Distinct ports that are free at this moment. */
    public static List<Integer> free(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports.add(socket.getLocalPort());
            }
            return List.copyOf(ports);
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on the loopback interface", e);
        } finally {
            sockets.forEach(Ports::close);
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

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
