package io.capoa.runtime.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.OptionalLong;
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

    /** How late the expiry of connections may be. */
    private static final Duration LATE = Duration.ofMillis(200);

    private static final Duration PAUSE = Duration.ofMillis(100);
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

    /** When connections expire next, by {@link System#nanoTime}; empty while none is open. */
    private OptionalLong expiry = OptionalLong.empty();

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
                server.setSoTimeout(millisLeft());
                accept(server.accept());
            } catch (SocketTimeoutException e) {
                LOG.trace("Connections may have expired");
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.warn("No connection can be accepted: {}", e.getMessage());
                    pause();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            expire();
        }
        open.cutAll();
    }

    /** Time until the next expiry; zero, for no limit, while no connection is open. */
    private int millisLeft() {
        if (expiry.isEmpty()) {
            return 0;
        }
        long left = expiry.getAsLong() - System.nanoTime();
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    }

    private void accept(Socket socket) throws IOException, InterruptedException {
        HttpConnection connection = new HttpConnection(socket, limits, layer, handler);
        if (!open.admit(connection)) {
            socket.close();
            return;
        }
        if (!running.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
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
    private void expire() {
        long now = System.nanoTime();
        long late = now - expiry.orElse(now);
        if (late < 0) {
            return;
        }
        paused = !paused && late > LATE.toNanos();
        if (paused) {
            expiry = OptionalLong.of(now + PAUSE.toNanos());
            return;
        }
        open.expire(now);
        // A wait that begins from now on does not end before the shortest of the limits.
        expiry = open.nextDeadline(now + limits.shortest().toNanos());
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
