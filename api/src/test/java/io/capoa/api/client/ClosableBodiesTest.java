package io.capoa.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.BufferedSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Bodies that one thread reads and another closes. */
@Execution(ExecutionMode.CONCURRENT)
class ClosableBodiesTest {

    private static final int BODIES = 25;

    /** A chunk of its own length in each part, so that a reader that misses bytes cannot go on. */
    private static final byte[][] PARTS = new byte[7][];

    static {
        for (int i = 0; i < PARTS.length; i++) {
            PARTS[i] = new byte[1_000 + 700 * i];
            Arrays.fill(PARTS[i], (byte) 'x');
        }
    }

    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final OkHttpClient client =
            new OkHttpClient.Builder().addInterceptor(new ClosableBodies()).build();
    private final AtomicInteger open = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answerWithoutEnd);
        server.createContext("/silent", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
        });
        server.createContext("/short", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(PARTS[0]);
            }
        });
        server.start();
    }

    private void answerWithoutEnd(HttpExchange exchange) throws IOException {
        open.incrementAndGet();
        try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            for (int i = 0; ; i++) {
                out.write(PARTS[i % PARTS.length]);
                out.flush();
            }
        } finally {
            open.decrementAndGet();
        }
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
        client.dispatcher().executorService().shutdownNow();
    }

    @Test
    void closingEndsTheReadOfAnotherThread_andTheConnection() throws IOException {
        for (int i = 0; i < BODIES; i++) {
            Response response = get("/endless");
            CompletableFuture<Throwable> reader = read(response.body().source());

            response.close();

            assertThat(reader)
                    .succeedsWithin(Duration.ofSeconds(30))
                    .isInstanceOfAny(IOException.class, IllegalStateException.class);
        }
        await().until(() -> open.get() == 0);
    }

    @Test
    void closingEndsAReadForWhichNothingComes() throws IOException {
        Response response = get("/silent");
        CompletableFuture<Throwable> reader = read(response.body().source());

        response.close();

        assertThat(reader)
                .succeedsWithin(Duration.ofSeconds(30))
                .isInstanceOfAny(IOException.class, IllegalStateException.class);
    }

    @Test
    void aBodyThatIsReadToItsEnd_leavesItsConnectionForTheNext() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (Response response = get("/short")) {
                assertThat(response.body().bytes()).isEqualTo(PARTS[0]);
            }
        }

        assertThat(client.connectionPool().connectionCount()).isEqualTo(1);
    }

    @Test
    void aShortBodyThatIsClosedUnread_leavesItsConnectionForTheNext() throws IOException {
        get("/short").close();
        get("/short").close();

        assertThat(client.connectionPool().connectionCount()).isEqualTo(1);
    }

    private Response get(String path) throws IOException {
        return client.newCall(new Request.Builder()
                        .url("http://localhost:" + server.getAddress().getPort() + path)
                        .build())
                .execute();
    }

    /** Reads as fabric8 does, what there is; completes with what ends it. */
    private CompletableFuture<Throwable> read(BufferedSource source) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        while (!source.exhausted()) {
                            source.readByteArray(source.getBuffer().size());
                        }
                        return new AssertionError("the answer has no end");
                    } catch (IOException | RuntimeException e) {
                        return e;
                    }
                },
                threads);
    }
}
