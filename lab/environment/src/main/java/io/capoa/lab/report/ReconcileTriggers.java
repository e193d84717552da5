package io.capoa.lab.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reconciles of a manager by the event source that woke them.
 *
 * @param wrote those that wrote something
 * @param idle those that did not
 */
public record ReconcileTriggers(TreeMap<String, Long> wrote, TreeMap<String, Long> idle) {

    private static final Pattern LINE =
            Pattern.compile("capoa_reconcile_triggers_total\\{.*source=\"([^\"]+)\",wrote=\"(true|false)\"} (\\S+)");

    /**
     * Those until now of the manager that serves its metrics on a port of 127.0.0.1, without TLS.
     *
     * @throws UncheckedIOException if it does not answer
     */
    public static ReconcileTriggers at(int port) {
        HttpRequest page = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .timeout(Duration.ofSeconds(30))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return on(http.send(page, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Those on a page in Prometheus' text format, of all controllers. */
    public static ReconcileTriggers on(String page) {
        ReconcileTriggers triggers = new ReconcileTriggers(new TreeMap<>(), new TreeMap<>());
        page.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> (line.group(2).equals("true") ? triggers.wrote : triggers.idle)
                        .merge(line.group(1), Math.round(Double.parseDouble(line.group(3))), Long::sum));
        return triggers;
    }

    /** Those that are not among the earlier ones. */
    public ReconcileTriggers since(ReconcileTriggers earlier) {
        return new ReconcileTriggers(difference(wrote, earlier.wrote), difference(idle, earlier.idle));
    }

    /** Those of two managers. */
    public ReconcileTriggers plus(ReconcileTriggers other) {
        ReconcileTriggers sum = new ReconcileTriggers(new TreeMap<>(wrote), new TreeMap<>(idle));
        other.wrote.forEach((source, count) -> sum.wrote.merge(source, count, Long::sum));
        other.idle.forEach((source, count) -> sum.idle.merge(source, count, Long::sum));
        return sum;
    }

    /** All of a source. */
    public long of(String source) {
        return wrote.getOrDefault(source, 0L) + idle.getOrDefault(source, 0L);
    }

    public long sum() {
        return Stream.of(wrote, idle)
                .flatMap(triggers -> triggers.values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private static TreeMap<String, Long> difference(TreeMap<String, Long> now, TreeMap<String, Long> earlier) {
        TreeMap<String, Long> difference = new TreeMap<>(now);
        difference.replaceAll((source, count) -> count - earlier.getOrDefault(source, 0L));
        difference.values().removeIf(count -> count == 0);
        return difference;
    }
}
