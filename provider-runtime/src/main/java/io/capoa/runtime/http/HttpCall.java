package io.capoa.runtime.http;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A request whose head has been read and whose body has not. */
public final class HttpCall {

    private final String method;
    private final String path;
    private final boolean keepsAlive;
    private final Map<String, String> headers;
    private final RequestBody body;
    private final Client client;
    private final Deque<Runnable> afterwards = new ArrayDeque<>();

    /**
     * Who sent a request.
     *
     * @param verified whether it has shown a certificate that the server trusts
     */
    record Client(InetAddress address, boolean verified) {}

    HttpCall(
            String method,
            String path,
            boolean keepsAlive,
            Map<String, String> headers,
            RequestBody body,
            Client client) {
        this.method = method;
        this.path = path;
        this.keepsAlive = keepsAlive;
        this.headers = headers;
        this.body = body;
        this.client = client;
    }

    /** The method, as it was sent. */
    public String method() {
        return method;
    }

    /** The target without its query, as it was sent: nothing is decoded. */
    public String path() {
        return path;
    }

    /** Where it comes from. */
    public InetAddress address() {
        return client.address();
    }

    /** Whether its client has shown a certificate that the server trusts. */
    public boolean isVerified() {
        return client.verified();
    }

    /** Runs something when its answer has been sent, or cannot be sent. */
    public void afterwards(Runnable action) {
        afterwards.push(action);
    }

    /** A header's value, by its name in lower case. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** The announced length of the body; empty when it comes in chunks. */
    public OptionalLong contentLength() {
        return body.length();
    }

    /**
     * Reads the body.
     *
     * @param most bytes
     * @throws MalformedCall when it has more, or is no body
     */
    public byte[] body(int most) throws IOException, MalformedCall {
        return body.read(most);
    }

    void end() {
        for (Runnable action = afterwards.poll(); action != null; action = afterwards.poll()) {
            action.run();
        }
    }

    boolean keepsAlive() {
        return keepsAlive;
    }

    boolean isReadWhole() {
        return body.isReadWhole();
    }
}
