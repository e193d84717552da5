package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.pods.LocalNode.RunningContainer;
import io.capoa.lab.pods.TrustsAll;
import io.capoa.lab.report.Report;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the managers' metrics say of their reconciles since the start of each process, by its program.
 *
 * @param done reconciles of all controllers
 * @param triggers reconciles that wrote something, and those that did not, by the event source that woke them
 */
record ReconcileCounts(SortedMap<String, Long> done, SortedMap<String, SortedMap<String, Report.Triggered>> triggers) {

    private static final int METRICS_PORT = 8443;
    private static final String DONE = "controller_runtime_reconcile_total";
    private static final Pattern TRIGGERED =
            Pattern.compile("capoa_reconcile_triggers_total\\{.*source=\"([^\"]+)\",wrote=\"(true|false)\"} (\\S+)");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** @param token of a user who may read metrics */
    static ReconcileCounts of(Collection<RunningContainer> containers, String token) throws InterruptedException {
        ReconcileCounts counts = new ReconcileCounts(new TreeMap<>(), new TreeMap<>());
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(TrustsAll.context()).build()) {
            for (RunningContainer container : containers) {
                Integer port = container.ports().get(METRICS_PORT);
                if (port != null) {
                    String page = page(http, port, token);
                    counts.done.merge(container.program(), done(page), Long::sum);
                    SortedMap<String, Report.Triggered> all =
                            counts.triggers.computeIfAbsent(container.program(), program -> new TreeMap<>());
                    triggers(page).forEach((source, triggered) -> all.merge(source, triggered, Report.Triggered::plus));
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

    /** By event source, from a page in Prometheus' text format. */
    static SortedMap<String, Report.Triggered> triggers(String page) {
        SortedMap<String, Report.Triggered> triggers = new TreeMap<>();
        page.lines().map(TRIGGERED::matcher).filter(Matcher::matches).forEach(line -> {
            long count = Math.round(Double.parseDouble(line.group(3)));
            boolean wrote = Boolean.parseBoolean(line.group(2));
            triggers.merge(
                    line.group(1), new Report.Triggered(wrote ? count : 0, wrote ? 0 : count), Report.Triggered::plus);
        });
        return triggers;
    }
}
