package io.capoa.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/1.1 byte by byte; the server answers with the method, the path and the body that it understood. */
@Execution(ExecutionMode.CONCURRENT)
class HttpListenerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final int PATIENCE_MILLIS = 30_000;

    private final HttpListener listener;

    HttpListenerTest() throws IOException {
        var patience = Duration.ofSeconds(10);
        listener = listen(new HttpLimits(8, 512, patience, patience, patience, Duration.ofSeconds(2)));
    }

    private static HttpListener listen(HttpLimits limits) throws IOException {
        return HttpListener.listen(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                limits,
                SocketLayer.PLAIN,
                Thread.ofVirtual().factory(),
                call -> new HttpAnswer(
                        200,
                        "text/plain",
                        (call.method() + " " + call.path() + " " + new String(call.body(100), StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8),
                        Map.of()));
    }

    @AfterEach
    void stop() {
        listener.close();
    }

    /** Everything that comes back to a client that sends this and no more, until the server closes. */
    private String exchange(String request) throws IOException {
        try (var socket = connect()) {
            send(socket, request);
            socket.shutdownOutput();
            return rest(socket);
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void neverMoreConnectionsAreOpenThanThereArePlaces() throws Exception {
        var minute = Duration.ofMinutes(1);
        try (var patient = listen(new HttpLimits(8, 512, minute, minute, minute, minute));
                var flood = new HalfOpen(patient.port(), 200)) {
            flood.rest();

            await().atMost(Duration.ofSeconds(10)).until(() -> flood.alive() == 8);
        }
    }

    @Test
    void severalRequests_areAnsweredOnOneConnection() throws IOException {
        var answers = exchange("POST /a?q=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                + "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1;x=y\r\nf\r\n0\r\n\r\n"
                + "GET /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                + "GET /d HTTP/1.1\r\n\r\n");

        assertThat(answers)
                .contains("POST /a abc", "POST /b def", "GET /c ", "Connection: close")
                .doesNotContain("/d");
    }

    @Test
    void aClientThatAsksWhetherToSend_isToldToGoOn() throws IOException {
        assertThat(exchange(
                        "POST / HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx"))
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ")
                .endsWith("POST / x");
    }

    @Test
    void anAnswerToHead_hasNoBody() throws IOException {
        assertThat(exchange("HEAD / HTTP/1.0\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .contains("Content-Length: 7\r\n")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "400 | GET  / HTTP/1.1~~",
                "400 | GET http://x/ HTTP/1.1~~",
                "400 | GET / HTTP/2.0~~",
                "400 | GET / HTTP/1.1~Header : x~~",
                "400 | GET / HTTP/1.1~A: b~ folded~~",
                "400 | POST / HTTP/1.1~Content-Length: 1~Content-Length: 1~~x",
                "400 | POST / HTTP/1.1~Content-Length: 1~Transfer-Encoding: chunked~~0~~",
                "400 | POST / HTTP/1.1~Content-Length: -1~~",
                "400 | POST / HTTP/1.1~Transfer-Encoding: chunked~~g~",
                "400 | POST / HTTP/1.1~Transfer-Encoding: chunked~~fffffffff~",
                "400 | POST / HTTP/1.1~Transfer-Encoding: chunked~~1~xyz~0~~",
                "413 | POST / HTTP/1.1~Content-Length: 101~~",
                "413 | POST / HTTP/1.1~Transfer-Encoding: chunked~~65~",
                "501 | POST / HTTP/1.1~Transfer-Encoding: gzip, chunked~~",
            })
    void whatCouldBeReadInTwoWays_isRefused(int status, String request) throws IOException {
        assertThat(exchange(request.replace("~", "\r\n"))).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void aHeadThatIsTooLong_isRefused() throws IOException {
        assertThat(exchange("GET / HTTP/1.1\r\nA: " + "a".repeat(600))).startsWith("HTTP/1.1 431 ");
    }

    @Test
    void anIdleConnection_isClosedInTime() throws IOException {
        long begin = System.nanoTime();

        try (var socket = connect()) {
            send(socket, "GET / HTTP/1.1\r\n\r\n");
            assertThat(rest(socket)).startsWith("HTTP/1.1 200 ");
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1900));
    }

    @Test
    void aRequestThatStallsOnAnIdleConnection_isClosedInItsOwnTime() throws Exception {
        var minute = Duration.ofMinutes(1);
        try (var patient = listen(new HttpLimits(8, 512, SECOND, minute, SECOND, minute));
                var socket = new Socket(InetAddress.getLoopbackAddress(), patient.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            send(socket, "GET / HTTP/1.1\r\n\r\n");
            assertThat(socket.getInputStream().readNBytes(15)).asString().startsWith("HTTP/1.1 200 ");
            // A connection of its own that says nothing is closed once the time for a head has passed.
            try (var silent = new Socket(InetAddress.getLoopbackAddress(), patient.port())) {
                silent.setSoTimeout(PATIENCE_MILLIS);
                silent.getInputStream().readAllBytes();
            }

            long begin = System.nanoTime();
            send(socket, "GET / HTT");
            socket.getInputStream().readAllBytes();

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(900));
        }
    }

    @Test
    void withoutConnections_itsThreadSleeps() throws IOException {
        try (var idle = HttpListener.listen(
                "sleeper",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new HttpLimits(8, 512, SECOND, SHORTEST, SECOND, Duration.ZERO),
                SocketLayer.PLAIN,
                Thread.ofVirtual().factory(),
                call -> new HttpAnswer(200, "text/plain", new byte[0], Map.of()))) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), idle.port())) {
                send(socket, "GET / HTTP/1.1\r\n\r\n");
                assertThat(socket.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 200 ");
            }
            // While a connection is open, the thread wakes up whenever the shortest limit has passed.
            var before = new AtomicLong();
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(SHORTEST.multipliedBy(4))
                    .untilAsserted(() -> {
                        long now = processorTime("sleeper");
                        assertThat(before.getAndSet(now)).isEqualTo(now).isPositive();
                    });
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Of a thread, in nanoseconds. */
    private static long processorTime(String thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().equals(thread))
                .mapToLong(info -> threads.getThreadCpuTime(info.getThreadId()))
                .sum();
    }
}
