package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.api.client.ClientCiphers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches of the lab's clients that are closed while an event arrives. */
class LabHttpClientFactoryTest {

    private static final int WATCHES = 50;

    private static final byte[] EVENT = """
            {"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one","resourceVersion":"1"}}}
            """.getBytes(StandardCharsets.UTF_8);

    /** Of an event that takes its time, in chunks of many lengths. */
    private static final byte[] BLANKS = " ".repeat(1_000).getBytes(StandardCharsets.UTF_8);

    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final AtomicInteger open = new AtomicInteger();
    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    private final Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::eventsWithoutEnd);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://localhost:" + server.getAddress().getPort())
                        .withNamespace("default")
                        .build())
                .build();
    }

    private void eventsWithoutEnd(HttpExchange exchange) throws IOException {
        open.incrementAndGet();
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(EVENT);
            for (int i = 0; ; i++) {
                out.write(BLANKS, 0, 100 + i % 7 * 70);
                out.flush();
            }
        } finally {
            open.decrementAndGet();
        }
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
        threads.shutdownNow();
        Thread.setDefaultUncaughtExceptionHandler(handler);
    }

    @Test
    void aWatchThatIsClosedWhileAnEventArrives_endsItsConnectionAndHarmsNoOther() throws InterruptedException {
        for (int i = 0; i < WATCHES; i++) {
            var some = new CountDownLatch(1);
            Watch watch = client.configMaps().watch(new Counting(some));
            assertThat(some.await(30, TimeUnit.SECONDS)).isTrue();
            watch.close();
        }

        await().until(() -> open.get() == 0);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void clients_offerTheCipherThatIsCheapUnderC1() {
        OkHttpClient.Builder builder = new OkHttpClient.Builder();

        new LabHttpClientFactory().additionalConfig(builder);

        assertThat(builder.build().connectionSpecs()).isEqualTo(ClientCiphers.CHEAP_FIRST);
    }

    private record Counting(CountDownLatch events) implements Watcher<ConfigMap> {

        @Override
        public void eventReceived(Action action, ConfigMap object) {
            events.countDown();
        }

        @Override
        public void onClose(WatcherException cause) {
            throw new AssertionError("the server ends no watch", cause);
        }
    }
}
