package io.capoa.runtime.manager;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * Collects what {@code /readyz} depends on. Leadership is not part of it, as in controller-runtime: a standby whose
 * caches are in sync is ready, or a rolling update that waits for readiness would never come to an end.
 */
final class Readiness {

    private final SortedMap<String, Supplier<Optional<String>>> checks = new ConcurrentSkipListMap<>();

    void add(String name, Supplier<Optional<String>> problem) {
        checks.put(name, problem);
    }

    /** Sentences by check, for those that do not hold. */
    SortedMap<String, String> problems() {
        var problems = new TreeMap<String, String>();
        checks.forEach((name, check) -> problem(check).ifPresent(sentence -> problems.put(name, sentence)));
        return problems;
    }

    /** 200 and {@code ok}, or 503 and a line for everything that is not ready. */
    Endpoint.Answer answer() {
        var problems = problems();
        if (problems.isEmpty()) {
            return Endpoint.Answer.text(200, "ok\n");
        }
        var body = new StringBuilder("not ready\n");
        problems.forEach((name, sentence) ->
                body.append(name).append(": ").append(sentence).append('\n'));
        return Endpoint.Answer.text(503, body.toString());
    }

    private static Optional<String> problem(Supplier<Optional<String>> check) {
        try {
            return check.get();
        } catch (RuntimeException e) {
            return Optional.of("the check itself failed: " + e);
        }
    }
}
