package io.capoa.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.capoa.runtime.lookup.SharedLookup;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests for CRDs, on an API server that answers with a slow one. */
class ContractLookupTest {

    private static final int CALLERS = 50;
    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
    private static final String CRD = """
            {"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1", "metadata": {
             "name": "metal3machinetemplates.infrastructure.cluster.x-k8s.io",
             "labels": {"cluster.x-k8s.io/v1beta2": "v1beta2"}}}""";

    private final AtomicInteger requests = new AtomicInteger();
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
    private volatile boolean together;
    private volatile int code = 200;

    private HttpServer server;
    private KubernetesClient client;
    private Contracts contracts;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            awaitCallers();
            byte[] answer = (code == 200 ? CRD : "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        contracts = new Contracts(client, Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void whoAskAtTheSameTime_shareOneRequest() throws Exception {
        assertThat(askTogether()).containsOnly("v1beta2");
        assertThat(requests).hasValue(1);

        assertThat(ask()).isEqualTo("v1beta2");
        assertThat(requests).as("the answer is kept").hasValue(1);
    }

    @Test
    void aFailure_isSharedToo_andNotKept() throws Exception {
        code = 403;
        assertThat(askTogether()).containsOnly("403");
        assertThat(requests).hasValue(1);

        code = 200;
        assertThat(ask()).isEqualTo("v1beta2");
    }

    private List<String> askTogether() throws Exception {
        together = true;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<String> caller = () -> {
                callers.add(Thread.currentThread());
                return ask();
            };
            List<Future<String>> futures = new ArrayList<>();
            for (int n = 0; n < CALLERS; n++) {
                futures.add(executor.submit(caller));
            }
            List<String> answers = new ArrayList<>();
            for (Future<String> future : futures) {
                answers.add(future.get(30, TimeUnit.SECONDS));
            }
            return answers;
        } finally {
            together = false;
        }
    }

    private String ask() {
        try {
            return contracts
                    .definition("infrastructure.cluster.x-k8s.io", "Metal3MachineTemplate")
                    .orElseThrow()
                    .getVersion();
        } catch (KubernetesClientException e) {
            return "" + e.getCode();
        }
    }

    /** Answers those who ask together when all of them wait for the same lookup, which one of them makes. */
    private void awaitCallers() {
        if (together) {
            await().until(() -> callers.size() == CALLERS && callers.stream().allMatch(ContractLookupTest::looksUp));
        }
    }

    private static boolean looksUp(Thread caller) {
        return WAITING.contains(caller.getState())
                && Arrays.stream(caller.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(SharedLookup.class.getName()));
    }
}
