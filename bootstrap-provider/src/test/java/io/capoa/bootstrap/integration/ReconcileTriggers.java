package io.capoa.bootstrap.integration;

import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reconciles by the event source that woke them.
 *
 * @param wrote those that wrote something
 * @param idle those that did not
 */
record ReconcileTriggers(TreeMap<String, Long> wrote, TreeMap<String, Long> idle) {

    private static final Pattern LINE =
            Pattern.compile("capoa_reconcile_triggers_total\\{.*source=\"([^\"]+)\",wrote=\"(true|false)\"} (\\S+)");

    /** Those on a page in Prometheus' text format. */
    static ReconcileTriggers on(String page) {
        ReconcileTriggers triggers = new ReconcileTriggers(new TreeMap<>(), new TreeMap<>());
        page.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> (line.group(2).equals("true") ? triggers.wrote : triggers.idle)
                        .put(line.group(1), Math.round(Double.parseDouble(line.group(3)))));
        return triggers;
    }

    /** Those that are not among the earlier ones. */
    ReconcileTriggers since(ReconcileTriggers earlier) {
        return new ReconcileTriggers(difference(wrote, earlier.wrote), difference(idle, earlier.idle));
    }

    /** All of a source. */
    long of(String source) {
        return wrote.getOrDefault(source, 0L) + idle.getOrDefault(source, 0L);
    }

    long sum() {
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
