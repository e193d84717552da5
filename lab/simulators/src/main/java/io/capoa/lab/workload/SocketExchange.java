package io.capoa.lab.workload;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** One request and response on a connection of {@link HttpsListener}, or its upgrade. */
final class SocketExchange extends HttpExchange {

    private static final int LONGEST_HEAD = 64 * 1024;
    private static final int LARGEST_BODY = 16 * 1024 * 1024;
    private static final byte[] LINE_END = {'\r', '\n'};

    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String method;
    private final URI uri;
    private final Headers requestHeaders;
    private final Headers responseHeaders = new Headers();
    private InputStream requestBody;
    private OutputStream responseBody = OutputStream.nullOutputStream();
    private int code = -1;
    private boolean upgraded;

    private SocketExchange(
            InputStream in, SSLSocket socket, String method, URI uri, Headers requestHeaders, byte[] requestBody)
            throws IOException {
        this.in = in;
        this.socket = socket;
        this.out = new BufferedOutputStream(socket.getOutputStream());
        this.method = method;
        this.uri = uri;
        this.requestHeaders = requestHeaders;
        this.requestBody = new ByteArrayInputStream(requestBody);
    }

    /** The next request; {@code null} if the client has closed the connection. */
    static @Nullable SocketExchange read(InputStream in, SSLSocket socket) throws IOException {
        String head = head(in);
        if (head == null) {
            return null;
        }
        String[] lines = head.split("\r\n", -1);
        String[] request = lines[0].split(" ", -1);
        if (request.length != 3) {
            throw new IOException("not an HTTP request: " + lines[0]);
        }
        Headers headers = new Headers();
        for (int n = 1; n < lines.length; n++) {
            int colon = lines[n].indexOf(':');
            if (colon > 0) {
                headers.add(
                        lines[n].substring(0, colon),
                        lines[n].substring(colon + 1).strip());
            }
        }
        return new SocketExchange(in, socket, request[0], URI.create(request[1]), headers, body(in, headers));
    }

    private static @Nullable String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0 || head.size() > LONGEST_HEAD) {
                return null;
            }
            head.write(next);
            matched = next == (matched % 2 == 0 ? '\r' : '\n') ? matched + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1).strip();
    }

    private static byte[] body(InputStream in, Headers headers) throws IOException {
        String length = headers.getFirst("Content-Length");
        if (length != null) {
            return in.readNBytes(Math.min(LARGEST_BODY, Integer.parseInt(length)));
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if ("chunked".equalsIgnoreCase(headers.getFirst("Transfer-Encoding"))) {
            for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
                body.write(in.readNBytes(size));
                in.readNBytes(LINE_END.length);
            }
            in.readNBytes(LINE_END.length);
        }
        return body.toByteArray();
    }

    private static int chunkSize(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.isEmpty() ? 0 : Integer.parseInt(line.toString().strip().split(";", 2)[0], 16);
    }

    /** Completes the response; whether the connection can be reused. */
    boolean finish() throws IOException {
        if (upgraded) {
            return false;
        }
        if (code < 0) {
            sendResponseHeaders(500, -1);
        }
        responseBody.close();
        out.flush();
        return !"close".equalsIgnoreCase(requestHeaders.getFirst("Connection"));
    }

    /** Upgrades the connection to a WebSocket of that subprotocol; ends the exchange. */
    WebSocket upgrade(String protocol) throws IOException {
        upgraded = true;
        String key = String.valueOf(requestHeaders.getFirst("Sec-WebSocket-Key"));
        responseHeaders.set("Upgrade", "websocket");
        responseHeaders.set("Connection", "Upgrade");
        responseHeaders.set("Sec-WebSocket-Accept", WebSocket.accept(key));
        responseHeaders.set("Sec-WebSocket-Protocol", protocol);
        head(101, "Switching Protocols");
        out.flush();
        return new WebSocket(in, out);
    }

    /** The certificate with which the client opened the connection or, if it resumed a session, that session. */
    @Nullable
    X509Certificate certificate() {
        try {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    boolean wantsWebSocket() {
        return "websocket".equalsIgnoreCase(requestHeaders.getFirst("Upgrade"));
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        code = status;
        if (length > 0) {
            responseHeaders.set("Content-Length", Long.toString(length));
            responseBody = new Unclosed(out);
        } else if (length == 0) {
            responseHeaders.set("Transfer-Encoding", "chunked");
            responseBody = new Chunked(out);
        } else {
            responseHeaders.set("Content-Length", "0");
        }
        head(status, "-");
        if (length == 0) {
            out.flush();
        }
    }

    private void head(int status, String reason) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + reason + "\r\n");
        responseHeaders.forEach((name, values) -> values.forEach(
                value -> head.append(name).append(": ").append(value).append("\r\n")));
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Keeps the connection open after the body. */
    private static final class Unclosed extends java.io.FilterOutputStream {
        Unclosed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    /** Writes each flush as one chunk. */
    private static final class Chunked extends ByteArrayOutputStream {
        private final OutputStream out;
        private boolean closed;

        Chunked(OutputStream out) {
            this.out = out;
        }

        @Override
        public synchronized void flush() throws IOException {
            if (count > 0) {
                out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(buf, 0, count);
                out.write(LINE_END);
                reset();
            }
            out.flush();
        }

        @Override
        public synchronized void close() throws IOException {
            if (!closed) {
                closed = true;
                flush();
                out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        }
    }

    @Override
    public Headers getRequestHeaders() {
        return requestHeaders;
    }

    @Override
    public Headers getResponseHeaders() {
        return responseHeaders;
    }

    @Override
    public URI getRequestURI() {
        return uri;
    }

    @Override
    public String getRequestMethod() {
        return method;
    }

    @Override
    public HttpContext getHttpContext() {
        throw new UnsupportedOperationException("there is one handler");
    }

    @Override
    public void close() {
        // The connection outlives the exchange.
    }

    @Override
    public InputStream getRequestBody() {
        return requestBody;
    }

    @Override
    public OutputStream getResponseBody() {
        return responseBody;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return (InetSocketAddress) socket.getRemoteSocketAddress();
    }

    @Override
    public int getResponseCode() {
        return code;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    @Override
    public String getProtocol() {
        return "HTTP/1.1";
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return null;
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("attributes are not kept");
    }

    @Override
    public void setStreams(@Nullable InputStream input, @Nullable OutputStream output) {
        requestBody = input == null ? requestBody : input;
        responseBody = output == null ? responseBody : output;
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return null;
    }
}
