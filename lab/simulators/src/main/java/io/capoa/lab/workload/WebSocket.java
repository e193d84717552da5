package io.capoa.lab.workload;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The server's end of a WebSocket (RFC 6455) that carries Kubernetes' channels ({@code v4.channel.k8s.io}). */
final class WebSocket {

    /** Channels of standard output, standard error, and the final Status of an {@code exec}. */
    static final int OUTPUT = 1;

    static final int ERROR_OUTPUT = 2;
    static final int STATUS = 3;

    private static final String ACCEPTED = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int LONGEST_CLIENT_FRAME = 64 * 1024;

    private final DataInputStream in;
    private final OutputStream out;

    WebSocket(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = out;
    }

    /** The accept value for a client's key. */
    static String accept(String key) {
        try {
            byte[] sum =
                    MessageDigest.getInstance("SHA-1").digest((key + ACCEPTED).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(sum);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    /** Sends the empty message with which a kubelet says that the command begins. */
    void open(int channel) throws IOException {
        frame(BINARY, new byte[] {(byte) channel});
    }

    /** Sends text on a channel; nothing if it is empty. */
    void send(int channel, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            byte[] payload = new byte[bytes.length + 1];
            payload[0] = (byte) channel;
            System.arraycopy(bytes, 0, payload, 1, bytes.length);
            frame(BINARY, payload);
        }
    }

    /** Closes and waits for the client to do the same. */
    void close() throws IOException {
        frame(CLOSE, new byte[] {3, (byte) 0xe8});
        int opcode = 0;
        while (opcode != CLOSE) {
            int first = in.read();
            if (first < 0) {
                return;
            }
            opcode = first & 0x0f;
            int length = in.readUnsignedByte() & 0x7f;
            length = length == 126 ? in.readUnsignedShort() : length;
            if (length > LONGEST_CLIENT_FRAME) {
                return;
            }
            in.readNBytes(4 + length);
        }
    }

    private void frame(int opcode, byte[] payload) throws IOException {
        out.write(0x80 | opcode);
        if (payload.length < 126) {
            out.write(payload.length);
        } else if (payload.length < 65_536) {
            out.write(126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        } else {
            out.write(127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                out.write((int) ((long) payload.length >> shift));
            }
        }
        out.write(payload);
        out.flush();
    }
}
