package io.capoa.lab.provider;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.pods.LocalNode.RunningContainer;
import io.capoa.lab.pods.TrustsAll;
import io.capoa.lab.report.ReconcileTriggers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the metrics of a manager say since the start of its process.
 *
 * @param reconciles of all controllers
 * @param received bytes of answers of the API server
 * @param triggers what has woken those reconciles
 */
public record ProviderMetrics(long reconciles, long received, ReconcileTriggers triggers) {

    private static final int METRICS_PORT = 8443;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /**
     * Of all managers among these containers, by program; the sum where one has several.
     *
     * @param token of a user who may read metrics
     * @throws ClusterException if one does not answer
     */
    public static SortedMap<String, ProviderMetrics> of(Collection<RunningContainer> containers, String token)
            throws InterruptedException {
        SortedMap<String, ProviderMetrics> metrics = new TreeMap<>();
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(TrustsAll.context()).build()) {
            for (RunningContainer container : containers) {
                Integer port = container.ports().get(METRICS_PORT);
                if (port != null) {
                    metrics.merge(container.program(), on(page(http, port, token)), ProviderMetrics::plus);
                }
            }
        }
        return metrics;
    }

    private static String page(HttpClient http, int port, String token) throws InterruptedException {
        URI uri = URI.create("https://127.0.0.1:" + port + "/metrics");
        try {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Authorization", "Bearer " + token)
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new ClusterException(
                        "The metrics of a manager at %s were answered with %d".formatted(uri, answer.statusCode()));
            }
            return answer.body();
        } catch (IOException e) {
            throw new ClusterException("The metrics of a manager cannot be read at " + uri, e);
        }
    }

    /** Those on a page in Prometheus' text format. */
    static ProviderMetrics on(String page) {
        return new ProviderMetrics(
                sum(page, "controller_runtime_reconcile_total"),
                sum(page, "capoa_rest_client_received_bytes_total"),
                ReconcileTriggers.on(page));
    }

    private static long sum(String page, String series) {
        return Math.round(page.lines()
                .filter(line -> line.startsWith(series + "{") || line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum());
    }

    private ProviderMetrics plus(ProviderMetrics other) {
        return new ProviderMetrics(
                reconciles + other.reconciles, received + other.received, triggers.plus(other.triggers));
    }

    /** What has come since an earlier look at the same process. */
    public ProviderMetrics since(ProviderMetrics earlier) {
        return new ProviderMetrics(
                reconciles - earlier.reconciles, received - earlier.received, triggers.since(earlier.triggers));
    }
}
