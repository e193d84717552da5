package io.capoa.lab.workload;

import com.sun.net.httpserver.HttpHandler;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 server over TLS on loopback with WebSocket upgrades, which {@code exec} needs and the JDK's server does
 * not support. It asks clients for a certificate, but does not require one.
 */
final class HttpsListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpsListener.class);
    private static final int BACKLOG = 512;

    /** As kube-apiserver, whose {@code IdleTimeout} this is. */
    private static final int IDLE_MILLIS = 90_000;

    private final SSLServerSocket server;
    private final HttpHandler handler;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService connections = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Binds the port; {@link #start()} starts serving.
     *
     * @param port of 127.0.0.1; 0 takes a free one
     * @param tls decides which certificates of clients let the handshake fail
     */
    HttpsListener(int port, SSLContext tls, HttpHandler handler) throws IOException {
        this.handler = handler;
        this.server = (SSLServerSocket) tls.getServerSocketFactory().createServerSocket();
        server.setWantClientAuth(true);
        server.setSSLParameters(inOrderOfClient(server.getSSLParameters()));
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    }

    /** Cipher suites, as Go's servers do: ChaCha20 for a client that names it before AES. */
    private static SSLParameters inOrderOfClient(SSLParameters parameters) {
        parameters.setUseCipherSuitesOrder(false);
        return parameters;
    }

    int port() {
        return server.getLocalPort();
    }

    void start() {
        Thread.ofPlatform().daemon().name("workload-api").start(this::accept);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                SSLSocket socket = (SSLSocket) server.accept();
                open.add(socket);
                connections.execute(() -> serve(socket));
            } catch (IOException | RejectedExecutionException e) {
                if (!server.isClosed()) {
                    LOG.debug("A connection could not be accepted", e);
                }
            }
        }
    }

    private void serve(SSLSocket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean more = true;
            while (more) {
                socket.setSoTimeout(IDLE_MILLIS);
                SocketExchange exchange = SocketExchange.read(in, socket);
                if (exchange == null) {
                    return;
                }
                socket.setSoTimeout(0);
                handler.handle(exchange);
                more = exchange.finish();
            }
        } catch (IOException e) {
            LOG.debug("A connection ended", e);
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        connections.shutdownNow();
    }
}
