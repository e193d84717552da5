package io.capoa.runtime.untrusted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A server of web sockets that compresses its messages, which no limit on what a connection brings would bound. */
class WebSocketMessagesTest {

    private static final int COMPRESSED_TEXT = 0xC1;

    @Test
    void compressedMessages_areNeitherAskedForNorTaken() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server, heard));
            OkHttpClient client = UntrustedServers.guardBriefly(
                            new OkHttpClient.Builder(), new AnswerLimit(1 << 20), UntrustedServers.sockets(1 << 20))
                    .build();
            Request request = new Request.Builder()
                    .url("http://127.0.0.1:" + server.getLocalPort() + "/exec")
                    .build();
            WebSocket socket = client.newWebSocket(request, new WebSocketListener() {
                @Override
                public void onMessage(WebSocket webSocket, String text) {
                    heard.add("message of " + text.length());
                }

                @Override
                public void onMessage(WebSocket webSocket, ByteString bytes) {
                    heard.add("message of " + bytes.size());
                }

                @Override
                public void onFailure(WebSocket webSocket, Throwable failure, @Nullable Response response) {
                    heard.add("failure");
                }
            });
            assertThat(heard.poll(10, TimeUnit.SECONDS)).startsWith("GET /exec").doesNotContain("permessage-deflate");
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("failure");
            socket.cancel();
        }
    }

    private static void serve(ServerSocket server, BlockingQueue<String> heard) {
        try (Socket socket = server.accept()) {
            byte[] head = new byte[1 << 14];
            int length = socket.getInputStream().read(head);
            String request = new String(head, 0, length, StandardCharsets.ISO_8859_1);
            heard.add(request);
            OutputStream out = socket.getOutputStream();
            out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Accept: "
                            + accept(request) + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            byte[] message = compressed("x".repeat(10_000));
            out.write(new byte[] {(byte) COMPRESSED_TEXT, (byte) message.length});
            out.write(message);
            out.flush();
            int unused = socket.getInputStream().read();
        } catch (IOException | NoSuchAlgorithmException e) {
            heard.add(String.valueOf(e));
        }
    }

    private static String accept(String request) throws NoSuchAlgorithmException {
        Matcher key = Pattern.compile("(?i)Sec-WebSocket-Key: (\\S+)").matcher(request);
        assertThat(key.find()).isTrue();
        byte[] hash = MessageDigest.getInstance("SHA-1")
                .digest((key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.ISO_8859_1));
        return Base64.getEncoder().encodeToString(hash);
    }

    /** Without the four octets that end a flush, as RFC 7692 has it. */
    private static byte[] compressed(String text) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(text.getBytes(StandardCharsets.ISO_8859_1));
        byte[] buffer = new byte[1 << 14];
        int length = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
        deflater.end();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(buffer, 0, length - 4);
        return out.toByteArray();
    }
}
