package io.capoa.bootstrap.config;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds a status back while it changes faster than people can read, so that a state that passes at once costs no write.
 * A state that stays is shown after {@value #STILL_MILLIS} ms, whatever changes at the latest after
 * {@value #LONGEST_MILLIS} ms; that bootstrap data exists is never held back, for others wait for it.
 */
final class StatusGathering {

    static final long STILL_MILLIS = 80;
    static final long LONGEST_MILLIS = 500;

    private record Held(List<String> content, Instant since, Instant first) {}

    private final Clock clock;
    private final Map<ResourceID, Held> held = new ConcurrentHashMap<>();

    StatusGathering(Clock clock) {
        this.clock = clock;
    }

    /** How long the status is to wait for what comes next; empty when it is to be written now, or says nothing new. */
    Optional<Duration> hold(
            ResourceID config, @Nullable OpenshiftAssistedConfigStatus before, OpenshiftAssistedConfigStatus after) {
        if (after.equals(before) || dataExists(after) != dataExists(before)) {
            held.remove(config);
            return Optional.empty();
        }
        Instant now = clock.instant();
        List<String> content = content(after);
        Held known = held.get(config);
        Held current = known == null
                ? new Held(content, now, now)
                : known.content().equals(content) ? known : new Held(content, now, known.first());
        Instant due =
                min(current.since().plusMillis(STILL_MILLIS), current.first().plusMillis(LONGEST_MILLIS));
        if (!now.isBefore(due)) {
            held.remove(config);
            return Optional.empty();
        }
        held.put(config, current);
        return Optional.of(Duration.between(now, due));
    }

    void forget(ResourceID config) {
        held.remove(config);
    }

    private static boolean dataExists(@Nullable OpenshiftAssistedConfigStatus status) {
        return status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().dataSecretCreated());
    }

    /** What is said, without the time at which it is said. */
    private static List<String> content(OpenshiftAssistedConfigStatus status) {
        return status.conditions() == null
                ? List.of()
                : status.conditions().stream()
                        .map((Condition c) -> c.type() + c.status() + c.reason() + c.message())
                        .toList();
    }

    private static Instant min(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
