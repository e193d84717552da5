package io.capoa.runtime.health;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * Collects what {@code /readyz} depends on. Leadership is not part of it, as in controller-runtime: a standby whose
 * caches are in sync is ready, or a rolling update that waits for readiness would never come to an end. A replica that
 * can never lead, for lack of a right, is not.
 *
 * <p>Nor are kinds that the cluster does not serve: they are named, and the process is ready to use them when they come.
 * Who installs providers and assisted-service in whatever order may wait for each Deployment ({@code clusterctl init
 * --wait-providers}), and the webhooks of a process that is not ready could not be called.
 */
public final class ReadinessProbe {

    private final SortedMap<String, Supplier<Optional<String>>> checks = new ConcurrentSkipListMap<>();

    private volatile Supplier<? extends Collection<String>> missingKinds = List::of;

    /** What is waited for without being unready, a sentence each. */
    public void mention(Supplier<? extends Collection<String>> kinds) {
        missingKinds = kinds;
    }

    public void add(String name, Supplier<Optional<String>> problem) {
        checks.put(name, problem);
    }

    /** Sentences by check, for those that do not hold. */
    public SortedMap<String, String> problems() {
        var problems = new TreeMap<String, String>();
        checks.forEach((name, check) -> problem(check).ifPresent(sentence -> problems.put(name, sentence)));
        return problems;
    }

    /** 200 and {@code ok}, or 503 and a line for everything that is not ready. */
    public Endpoint.Response answer() {
        var problems = problems();
        if (problems.isEmpty()) {
            return Endpoint.Response.text(200, "ok\n" + waiting());
        }
        var body = new StringBuilder("not ready\n");
        problems.forEach((name, sentence) ->
                body.append(name).append(": ").append(sentence).append('\n'));
        return Endpoint.Response.text(503, body.append(waiting()).toString());
    }

    private String waiting() {
        var lines = new StringBuilder();
        missingKinds
                .get()
                .forEach(sentence -> lines.append("waiting: ").append(sentence).append('\n'));
        return lines.toString();
    }

    private static Optional<String> problem(Supplier<Optional<String>> check) {
        try {
            return check.get();
        } catch (RuntimeException e) {
            return Optional.of("the check itself failed: " + e);
        }
    }
}
