package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.pods.LocalNode.RunningContainer;
import io.capoa.lab.pods.TrustsAll;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads from the managers' metrics how many reconciles they have done. */
final class ReconcileCounts {

    private static final int METRICS_PORT = 8443;
    private static final String DONE = "controller_runtime_reconcile_total";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private ReconcileCounts() {}

    /**
     * Reconciles since the start of each process that serves metrics, by its program.
     *
     * @param token of a user who may read metrics
     */
    static SortedMap<String, Long> of(Collection<RunningContainer> containers, String token)
            throws InterruptedException {
        SortedMap<String, Long> counts = new TreeMap<>();
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(TrustsAll.context()).build()) {
            for (RunningContainer container : containers) {
                Integer port = container.ports().get(METRICS_PORT);
                if (port != null) {
                    counts.merge(container.program(), done(page(http, port, token)), Long::sum);
                }
            }
        }
        return counts;
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

    /** The sum over all controllers on a page in Prometheus' text format. */
    static long done(String page) {
        return page.lines()
                .filter(line -> line.startsWith(DONE + "{") || line.startsWith(DONE + " "))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                .sum();
    }
}
