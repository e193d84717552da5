package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.health.CacheHealth;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sources of a reconciler that is stopped. */
@Execution(ExecutionMode.CONCURRENT)
class SourceTest {

    private static final String INDEX = "index";

    @ControllerConfiguration(name = "config-maps")
    private static final class Reading implements Reconciler<ConfigMap> {

        private final List<Source<? extends HasMetadata>> sources = new ArrayList<>();
        private EventSources<ConfigMap> declared;

        @Override
        public List<EventSource<?, ConfigMap>> prepareEventSources(EventSourceContext<ConfigMap> context) {
            declared = new EventSources<>(context);
            sources.add(declared.on(Secret.class)
                    .enqueues(secret -> Set.of())
                    .index(INDEX, secret -> List.of())
                    .source());
            sources.add(declared.on(Machine.class)
                    .enqueues(machine -> Set.of())
                    .index(INDEX, machine -> List.of())
                    .source());
            declared.on(BareMetalHost.class).optional().source();
            declared.on(Cluster.class).notAwaited().source();
            return declared.toList();
        }

        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap resource, Context<ConfigMap> context) {
            return UpdateControl.noUpdate();
        }
    }

    private final Reading reconciler = new Reading();
    private final List<String> lists = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;
    private Operator operator;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build())
                .build();
        operator = new Operator(configuration -> configuration
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .checkingCRDAndValidateLocalModel(false));
        operator.register(reconciler);
    }

    @AfterEach
    void stop() {
        end.countDown();
        operator.stop();
        client.close();
        server.stop(0);
    }

    /** An API server with one Secret, that knows no Machines. */
    private void answer(HttpExchange request) throws IOException {
        String path = request.getRequestURI().getPath();
        String query = String.valueOf(request.getRequestURI().getQuery());
        request.getResponseHeaders().add("Content-Type", "application/json");
        if (query.contains("watch=true")) {
            request.sendResponseHeaders(200, 0);
            request.getResponseBody().flush();
            awaitEnd();
            request.close();
            return;
        }
        lists.add(path + "?" + query);
        String items = path.endsWith("/secrets")
                ? "{\"metadata\":{\"namespace\":\"a\",\"name\":\"b\",\"uid\":\"c\",\"resourceVersion\":\"1\"}}"
                : "";
        byte[] body = "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[%s]}"
                .formatted(items)
                .getBytes(StandardCharsets.UTF_8);
        request.sendResponseHeaders(path.contains("/apis/") ? 404 : 200, body.length);
        request.getResponseBody().write(body);
        request.close();
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The probes are served before the caches are. */
    @Test
    void beforeTheStart_nothingIsWatched_andNothingFails() {
        assertThat(reconciler.sources).noneMatch(Source::isKnown);
        assertThat(CacheHealth.problem(operator)).isEmpty();
        assertThat(CacheHealth.missingKinds(operator)).isEmpty();
    }

    @Test
    void aKindThatIsNotServed_isUnwatched_oneThatIsNotAwaitedIsNot() {
        assertThat(reconciler.declared.unwatched().kinds()).containsExactlyInAnyOrder(Secret.class, Machine.class);
        operator.start();

        Unwatched unwatched = reconciler.declared.unwatched();
        assertThat(unwatched.kinds()).containsExactly(Machine.class);
        assertThat(unwatched.absent())
                .singleElement()
                .asString()
                .startsWith("kind Machine (cluster.x-k8s.io/v1beta2) is not installed: install Cluster API");
        assertThat(unwatched.forbidden()).isEmpty();
        assertThat(unwatched.reason()).hasValue(unwatched.absent().getFirst());
    }

    /** 90 Secrets of a megabyte in one list did not fit into the memory, whatever is kept of each. */
    @Test
    void aListOfSecrets_comesInSmallPages() {
        operator.start();

        assertThat(lists)
                .filteredOn(list -> list.contains("/secrets?"))
                .isNotEmpty()
                .allSatisfy(list -> assertThat(list).contains("limit=20"));
    }

    /** JOSDK empties the caches while reconciles run: those must not find that their objects are gone. */
    @Test
    void whatAStoppedSourceDoesNotHold_isNotAbsent() {
        operator.start();
        ConfigMap primary = new ConfigMap();
        primary.setMetadata(
                new ObjectMetaBuilder().withNamespace("a").withName("b").build());
        assertThat(reconciler.sources)
                .extracting(source -> source.get("a", "b").isPresent())
                .containsExactly(true, false);

        operator.stop();

        for (Source<? extends HasMetadata> source : reconciler.sources) {
            Map<String, ThrowingCallable> reads = Map.of(
                    "get", () -> source.get("a", "b"),
                    "list", () -> source.list("a"),
                    "byIndex", () -> source.byIndex(INDEX, "a"),
                    "of", () -> source.of(primary));
            assertThat(reads)
                    .allSatisfy((name, read) -> assertThat(catchThrowable(read))
                            .as(name)
                            .isInstanceOf(CancellationException.class)
                            .hasMessageStartingWith("The manager stops")
                            .satisfies(failure -> assertThat(ReconcileFailure.of(failure, "any"))
                                    .isEmpty()));
        }
    }
}
