package io.capoa.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class AttemptsTest {

    @Test
    void aConnectionThatBreaks_isMadeAgain_butNotForEver() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
                    .build();
            Thread.ofVirtual().start(() -> {
                while (!server.isClosed()) {
                    try (Socket connection = server.accept()) {
                        if (connections.incrementAndGet() == 3) {
                            connection.getInputStream().read(new byte[4_096]);
                            connection
                                    .getOutputStream()
                                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                                            .getBytes(StandardCharsets.US_ASCII));
                        }
                    } catch (IOException e) {
                        return;
                    }
                }
            });

            assertThat(Attempts.send(http, request).body()).asString().isEqualTo("ok");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> Attempts.send(http, request));
            assertThat(connections.get()).isGreaterThanOrEqualTo(8);
        }
    }
}
