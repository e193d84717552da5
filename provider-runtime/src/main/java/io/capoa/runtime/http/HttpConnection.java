package io.capoa.runtime.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: reads requests and answers them, one after the other, in a thread of its own. */
final class HttpConnection implements OpenConnections.Member {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    /** How much of a body that is not wanted is read, so that the client sees the answer and no broken connection. */
    private static final int DRAINED = 8 << 20;

    private static final int FAILED = 500;

    private final Socket socket;
    private final InetAddress address;
    private final HttpLimits limits;
    private final SocketLayer layer;
    private final HttpCallHandler handler;
    private volatile long since = System.nanoTime();
    private volatile long deadline;
    private volatile boolean awaitsClient = true;
    private volatile boolean served;

    HttpConnection(Socket socket, HttpLimits limits, SocketLayer layer, HttpCallHandler handler) {
        this.socket = socket;
        this.address = socket.getInetAddress();
        this.limits = limits;
        this.layer = layer;
        this.handler = handler;
        this.deadline = since + limits.head().toNanos();
    }

    /** Serves until either side has enough. */
    void serve() {
        try (socket) {
            socket.setTcpNoDelay(true);
            try (Socket layered = layer.over(socket)) {
                exchange(layered);
            }
        } catch (IOException e) {
            // The client has gone, speaks no TLS, or had its time.
            LOG.trace("A connection ended", e);
        }
    }

    private void exchange(Socket layered) throws IOException {
        InputStream in = new BufferedInputStream(new FairInput(layered.getInputStream()), 4096);
        OutputStream out = new BufferedOutputStream(layered.getOutputStream(), 4096);
        int first = in.read();
        if (first < 0) {
            return;
        }
        // Only now the handshake is over.
        HttpCall.Client client = new HttpCall.Client(address, SocketLayer.isVerified(layered));
        RequestReader reader = new RequestReader(in, limits.headBytes(), client);
        for (; first >= 0; first = in.read()) {
            if (served) {
                awaitClient(limits.head());
            }
            if (!one(reader, first, in, out)) {
                return;
            }
            served = true;
            awaitClient(limits.idle());
        }
    }

    /** Answers a request; false when the connection ends with it. */
    private boolean one(RequestReader reader, int first, InputStream in, OutputStream out) throws IOException {
        try {
            HttpCall call = reader.read(first, this::awaitBody, out);
            boolean more;
            try {
                more = answered(call, out);
            } finally {
                call.end();
            }
            if (!call.isReadWhole()) {
                drain(in);
            }
            return more;
        } catch (MalformedCall e) {
            send(out, e.answer(), false, false);
            drain(in);
            return false;
        }
    }

    private boolean answered(HttpCall call, OutputStream out) throws IOException, MalformedCall {
        HttpAnswer answer;
        try {
            work();
            answer = handler.answer(call);
        } catch (RuntimeException e) {
            LOG.error("A request of {} failed", call.path(), e);
            answer = HttpAnswer.text(FAILED, "the manager failed; its log has more\n");
        }
        boolean more = call.keepsAlive() && call.isReadWhole() && !limits.idle().isZero();
        send(out, answer, call.method().equals("HEAD"), more);
        return more;
    }

    private void send(OutputStream out, HttpAnswer answer, boolean headOnly, boolean more) throws IOException {
        awaitClient(limits.answer());
        StringBuilder head = new StringBuilder(256);
        head.append("HTTP/1.1 ").append(answer.status()).append(' ').append("\r\n");
        head.append("Content-Type: ").append(answer.contentType()).append("\r\n");
        head.append("Content-Length: ").append(answer.body().length).append("\r\n");
        answer.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        if (!more) {
            head.append("Connection: close\r\n");
        }
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        out.write(start);
        if (!headOnly) {
            out.write(answer.body());
        }
        out.flush();
    }

    private void drain(InputStream in) throws IOException {
        awaitClient(limits.head());
        byte[] buffer = new byte[4096];
        int count = 0;
        for (int read = in.read(buffer); read >= 0 && count < DRAINED; read = in.read(buffer)) {
            count += read;
        }
    }

    private void awaitClient(Duration atMost) {
        long now = System.nanoTime();
        since = now;
        deadline = now + atMost.toNanos();
        awaitsClient = true;
    }

    private void awaitBody(boolean awaited) {
        if (awaited) {
            awaitClient(limits.body());
        } else {
            work();
        }
    }

    private void work() {
        awaitsClient = false;
    }

    @Override
    public InetAddress address() {
        return address;
    }

    @Override
    public boolean awaitsClient() {
        return awaitsClient;
    }

    @Override
    public boolean served() {
        return served;
    }

    @Override
    public long since() {
        return since;
    }

    @Override
    public long deadline() {
        return deadline;
    }

    /** Ends it from outside: whatever its thread reads or writes fails. */
    @Override
    public void cut() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.trace("A connection could not be closed", e);
        }
    }
}
