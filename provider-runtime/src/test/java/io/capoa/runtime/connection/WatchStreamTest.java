package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches of the management client, against a server that answers in parts of the test's choosing. */
@Execution(ExecutionMode.CONCURRENT)
class WatchStreamTest {

    /** What the server does with a request for a watch. */
    private interface Answer {
        void give(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private static final String EVENT = """
            {"type":"%s","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":\
            {"name":"%s","namespace":"n","resourceVersion":"%d"},"data":{"text":"%s"}}}
            """;

    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicReference<WatcherException> closed = new AtomicReference<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // Platform threads: an endless answer must not take the carriers of the client.
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI().getRawQuery());
            try (exchange) {
                answers.take().give(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        client = client(10_000);
    }

    private KubernetesClient client(int timeoutMillis) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://localhost:" + server.getAddress().getPort())
                .withRequestTimeout(timeoutMillis)
                .withWatchReconnectInterval(50)
                .build();
        return ManagementClient.of(config, "test", "manager", new SimpleMeterRegistry(), () -> true);
    }

    @AfterEach
    void stop() {
        end.countDown();
        client.close();
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100, 100_000})
    void eventsArriveWholeAndInOrder_whereverTheAnswerIsCut(int length) {
        String text = "Zürich \u20ac \ud83d\ude00 ".repeat(length == 1 ? 5 : 1_000);
        byte[] all = (event("ADDED", "a", 1, text) + event("MODIFIED", "a", 2, text) + event("DELETED", "a", 3, text))
                .getBytes(StandardCharsets.UTF_8);
        answers.add(exchange -> {
            OutputStream out = body(exchange);
            for (int i = 0; i < all.length; i += length) {
                out.write(Arrays.copyOfRange(all, i, Math.min(all.length, i + length)));
                out.flush();
            }
            end.await();
        });

        watch();

        await().untilAsserted(() ->
                assertThat(events).containsExactly("ADDED a " + text, "MODIFIED a " + text, "DELETED a " + text));
    }

    @Test
    void aWatchThatEnds_isContinued_fromTheLastEvent() {
        answers.add(exchange -> body(exchange).write(bytes(event("ADDED", "a", 17, "x"))));
        answers.add(exchange -> {
            OutputStream out = body(exchange);
            out.write(bytes(event("ADDED", "b", 18, "x")));
            out.flush();
            end.await();
        });

        watch();

        await().untilAsserted(() -> assertThat(events).containsExactly("ADDED a x", "ADDED b x"));
        assertThat(requests).hasSize(2).last().asString().contains("resourceVersion=17", "watch=true");
    }

    @Test
    void anAnswerThatEndsWithinAnEvent_isContinued_withoutThatEvent() {
        answers.add(exchange -> body(exchange).write(bytes(event("ADDED", "a", 17, "x") + "{\"type\":\"ADD")));
        answers.add(exchange -> end.await());

        watch();

        await().untilAsserted(
                        () -> assertThat(requests).hasSize(2).last().asString().contains("resourceVersion=17"));
        assertThat(events).containsExactly("ADDED a x");
    }

    @Test
    void anEventOfAnError_endsTheWatch_withItsStatus() {
        answers.add(exchange -> body(exchange).write(bytes("""
                {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","code":410,"reason":"Expired"}}
                """)));

        watch();

        await().untilAsserted(() -> assertThat(closed.get())
                .isNotNull()
                .matches(WatcherException::isHttpGone, "is about a resourceVersion that is too old"));
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 410})
    void aRefusal_isAFailureOfTheWatch_notABegin(int code) {
        answers.add(exchange -> exchange.sendResponseHeaders(code, -1));

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(this::watch)
                .satisfies(failure -> assertThat(failure.getCode()).isEqualTo(code));
        assertThat(requests).hasSize(1);
    }

    @Test
    void aServerThatIsUnavailable_isAskedAgain_andThenTheWatchFails() {
        for (int i = 0; i < 3; i++) {
            answers.add(exchange -> exchange.sendResponseHeaders(503, -1));
        }

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(this::watch)
                .withStackTraceContaining("503 Service Unavailable");
        assertThat(requests).hasSize(3);
    }

    @Test
    void aServerThatDoesNotAnswer_isGivenUp() {
        answers.add(exchange -> end.await());
        client.close();
        client = client(500);

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(this::watch)
                .withStackTraceContaining("TimeoutException");
    }

    @Test
    void aWatchThatIsClosed_isNotContinued() {
        answers.add(exchange -> {
            OutputStream out = body(exchange);
            out.write(bytes(event("ADDED", "a", 1, "x")));
            out.flush();
            end.await();
        });
        var watch = client.configMaps().inNamespace("n").watch(watcher());
        await().until(() -> !events.isEmpty());
        watch.close();

        // Another watch of this client, which ends later, is continued: the first would have been before.
        answers.add(exchange -> body(exchange).write(bytes(event("ADDED", "b", 18, "x"))));
        answers.add(exchange -> end.await());
        client.configMaps().inNamespace("n").withLabel("later").watch(watcher());
        await().until(() -> requests.size() >= 3);
        assertThat(requests)
                .filteredOn(query -> !query.contains("labelSelector=later"))
                .hasSize(1);
    }

    @Test
    void aWatchThatIsClosedWhileEventsArrive_endsItsRequest() {
        CountDownLatch gone = new CountDownLatch(1);
        answers.add(exchange -> {
            OutputStream out = body(exchange);
            try {
                while (true) {
                    out.write(bytes(event("ADDED", "a", 1, "x")));
                    out.flush();
                    // Not faster than a starved client reads.
                    LockSupport.parkNanos(1_000_000);
                }
            } catch (IOException expected) {
                gone.countDown();
                throw expected;
            }
        });
        var watch = client.configMaps().inNamespace("n").watch(watcher());
        await().until(() -> !events.isEmpty());

        watch.close();

        await().until(() -> gone.getCount() == 0);
    }

    private void watch() {
        client.configMaps().inNamespace("n").watch(watcher());
    }

    private Watcher<ConfigMap> watcher() {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap object) {
                events.add("%s %s %s"
                        .formatted(
                                action,
                                object.getMetadata().getName(),
                                object.getData().get("text")));
            }

            @Override
            public void onClose(WatcherException cause) {
                closed.set(cause);
            }

            @Override
            public boolean reconnecting() {
                return true;
            }
        };
    }

    /** A body of unknown length, whose parts are sent when they are flushed. */
    private static OutputStream body(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private static String event(String type, String name, int version, String text) {
        return EVENT.formatted(type, name, version, text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
