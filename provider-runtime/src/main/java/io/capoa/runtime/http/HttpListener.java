package io.capoa.runtime.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP/1.1 server for trusted handlers and untrusted clients. Connections, the threads that serve them and the
 * time that each waits for its client are bounded; the JDK's server bounds neither by address, and its times hold for
 * all servers of a process.
 */
public final class HttpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    private static final Duration TICK = Duration.ofMillis(100);
    private static final int BACKLOG = 512;

    /** Threads of connections that were just cut and have yet to end. */
    private static final int ENDING = 16;

    private final ServerSocket server;
    private final HttpLimits limits;
    private final SocketLayer layer;
    private final ThreadFactory threads;
    private final HttpCallHandler handler;
    private final OpenConnections open;
    private final Semaphore running;
    private long ticked = System.nanoTime();
    private boolean paused;

    private HttpListener(
            ServerSocket server, HttpLimits limits, SocketLayer layer, ThreadFactory threads, HttpCallHandler handler) {
        this.server = server;
        this.limits = limits;
        this.layer = layer;
        this.threads = threads;
        this.handler = handler;
        this.open = new OpenConnections(limits.connections());
        this.running = new Semaphore(limits.connections() + ENDING);
    }

    /**
     * Listens and serves until it is closed.
     *
     * @param name of the thread that accepts connections
     * @param threads makes the thread of each connection
     * @throws IOException when the address cannot be had
     */
    public static HttpListener listen(
            String name,
            InetSocketAddress address,
            HttpLimits limits,
            SocketLayer layer,
            ThreadFactory threads,
            HttpCallHandler handler)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.bind(address, BACKLOG);
            server.setSoTimeout((int) TICK.toMillis());
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        HttpListener listener = new HttpListener(server, limits, layer, threads, handler);
        Thread.ofPlatform().daemon().name(name).start(listener::acceptAll);
        return listener;
    }

    /** The port, where a free one was asked for. */
    public int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("A listener could not be closed", e);
        }
        open.cutAll();
    }

    private void acceptAll() {
        while (!server.isClosed()) {
            try {
                accept(server.accept());
            } catch (SocketTimeoutException e) {
                // A tick without a connection.
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.warn("No connection can be accepted: {}", e.getMessage());
                    pause();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            tick();
        }
        open.cutAll();
    }

    private void accept(Socket socket) throws IOException, InterruptedException {
        HttpConnection connection = new HttpConnection(socket, limits, layer, handler);
        if (!open.admit(connection)) {
            socket.close();
            return;
        }
        if (!running.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
            open.remove(connection);
            connection.cut();
            return;
        }
        threads.newThread(() -> serve(connection)).start();
    }

    private void serve(HttpConnection connection) {
        try {
            connection.serve();
        } finally {
            open.remove(connection);
            running.release();
        }
    }

    /** A pause of the whole process is not held against its clients: what they sent may lie unread. */
    private void tick() {
        long now = System.nanoTime();
        long passed = now - ticked;
        if (passed < TICK.toNanos()) {
            return;
        }
        ticked = now;
        paused = !paused && passed > 3 * TICK.toNanos();
        if (!paused) {
            open.expire(now);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(TICK.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
