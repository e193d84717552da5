package io.capoa.lab.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Replies to HTTP requests on loopback with given bytes, well-formed or not, and closes the connection. */
public final class HostileServer implements AutoCloseable {

    /** Writes the response to a request. */
    @FunctionalInterface
    public interface Answer {
        void to(String path, OutputStream out) throws IOException, InterruptedException;
    }

    private static final byte[] BLOCK = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final String scheme;

    /** Listens, with TLS if a context is given. */
    public HostileServer(@Nullable SSLContext tls) {
        scheme = tls == null ? "http" : "https";
        ServerSocketFactory factory = tls == null ? ServerSocketFactory.getDefault() : tls.getServerSocketFactory();
        try {
            server = factory.createServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::listen);
    }

    /** Sets the response to paths that contain the text; the longest match wins. */
    public HostileServer on(String part, Answer answer) {
        answers.put(part, answer);
        return this;
    }

    /** Host and port. */
    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    public String url() {
        return scheme + "://" + address();
    }

    /** A valid response. */
    public static Answer body(byte[] body, String... headers) {
        return (path, out) -> {
            head(out, "200 OK", headers);
            line(out, "Content-Length: " + body.length);
            line(out, "");
            out.write(body);
        };
    }

    /** An error response with headers. */
    public static Answer status(String status, String... headers) {
        return (path, out) -> {
            head(out, status, headers);
            line(out, "Content-Length: 0");
            line(out, "");
        };
    }

    /** An endless body, as fast as it is read. */
    public static Answer endless() {
        return (path, out) -> {
            head(out, "200 OK");
            line(out, "");
            while (true) {
                out.write(BLOCK);
            }
        };
    }

    /** An endless line before the first chunk. */
    public static Answer endlessLine() {
        return (path, out) -> {
            head(out, "200 OK", "Transfer-Encoding: chunked");
            line(out, "");
            out.write("1;".getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write(BLOCK);
            }
        };
    }

    /** An endless body with one byte at a time. */
    public static Answer trickle() {
        return (path, out) -> {
            head(out, "200 OK", "Content-Length: 10000");
            line(out, "");
            while (true) {
                out.write(' ');
                out.flush();
                Thread.sleep(500);
            }
        };
    }

    /** A redirect to the same URL. */
    public static Answer redirects() {
        return (path, out) -> status("302 Found", "Location: " + path).to(path, out);
    }

    private static void head(OutputStream out, String status, String... headers) throws IOException {
        line(out, "HTTP/1.1 " + status);
        line(out, "Connection: close");
        for (String header : headers) {
            line(out, header);
        }
    }

    private static void line(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    private void listen() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            in.mark(1);
            if (!Character.isUpperCase(in.read())) {
                // Not HTTP: a client that tries TLS would wait.
                return;
            }
            in.reset();
            String request = in.readLine();
            String line = request;
            while (line != null && !line.isEmpty()) {
                line = in.readLine();
            }
            if (request == null) {
                return;
            }
            String path = request.split(" ", -1)[1];
            Answer answer = answers.keySet().stream()
                    .filter(path::contains)
                    .max(Comparator.comparingInt(String::length))
                    .map(answers::get)
                    .orElseGet(() -> status("404 Not Found"));
            answer.to(path, socket.getOutputStream());
            socket.getOutputStream().flush();
        } catch (IOException gone) {
            // The client closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
