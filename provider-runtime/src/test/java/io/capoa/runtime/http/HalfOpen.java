package io.capoa.runtime.http;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Connections whose clients never come to the end of a request: a third says nothing, a third stops in a header, a third
 * goes on byte by byte. One that the server closes is opened again. They come from 127.0.0.2, because clients that share the
 * address of a flood are served only as long as they speak at once, which a test on a busy machine may not do; systems with
 * a single loopback address have no other.
 */
public final class HalfOpen implements AutoCloseable {

    private static final byte[] HALF = "GET /healthz HTTP/1.1\r\nHost: lo".getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Thread drip;
    private volatile boolean closed;

    /** Opens them. */
    public HalfOpen(int port, int count) throws IOException {
        this.port = port;
        for (int i = 0; i < count; i++) {
            sockets.add(open(i));
        }
        drip = Thread.ofPlatform().daemon().start(this::drip);
    }

    private Socket open(int number) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}), 0));
        } catch (BindException onlyLoopback) {
            socket.close();
            socket = new Socket();
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
        if (number % 3 > 0) {
            try {
                socket.getOutputStream().write(HALF);
            } catch (IOException e) {
                // Closed already: opened again soon.
            }
        }
        return socket;
    }

    private void drip() {
        while (!closed) {
            for (int i = 0; i < sockets.size() && !closed; i++) {
                try {
                    Socket socket = sockets.get(i);
                    if (isClosedByPeer(socket)) {
                        socket.close();
                        sockets.set(i, open(i));
                    } else if (i % 3 == 2) {
                        socket.getOutputStream().write('a');
                    }
                } catch (IOException e) {
                    // Noticed in the next round.
                }
            }
        }
    }

    /** How many the server has not closed. */
    public long alive() {
        return sockets.stream().filter(socket -> !isClosedByPeer(socket)).count();
    }

    private static boolean isClosedByPeer(Socket socket) {
        try {
            if (socket.isClosed()) {
                return true;
            }
            socket.setSoTimeout(1);
            while (socket.getInputStream().read() >= 0) {
                // What the server said before it closed.
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** No longer opens others. */
    public void rest() throws InterruptedException {
        closed = true;
        drip.join();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
