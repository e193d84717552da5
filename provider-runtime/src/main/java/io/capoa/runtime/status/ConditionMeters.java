package io.capoa.runtime.status;

import io.capoa.api.conditions.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts how conditions change, and measures how long they were False before they became True: the phases of an
 * installation. Types and reasons are constants, so the series are bounded.
 */
final class ConditionMeters {

    /** Upper bounds of the histogram: seconds to hours. */
    private static final Duration[] BOUNDS = LongStream.of(
                    1, 5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 14_400)
            .mapToObj(Duration::ofSeconds)
            .toArray(Duration[]::new);

    private ConditionMeters() {}

    /** Records what a write of the status has changed. */
    static void record(HasMetadata object, @Nullable List<Condition> before, List<Condition> after) {
        String controller = object.getKind().toLowerCase(Locale.ROOT);
        for (Condition now : after) {
            Condition then = before == null ? null : find(before, now.type());
            if (then != null
                    && then.status().equals(now.status())
                    && then.reason().equals(now.reason())) {
                continue;
            }
            Counter.builder("capoa.condition.changes")
                    .description("Changes of a condition to this status and reason")
                    .tags("controller", controller, "type", now.type(), "status", now.status())
                    .tag("reason", now.reason())
                    .register(Metrics.globalRegistry)
                    .increment();
            waited(then, now)
                    .ifPresent(time -> Timer.builder("capoa.condition.wait")
                            .description("Time that a condition was False before it became True")
                            .tags("controller", controller, "type", now.type())
                            .serviceLevelObjectives(BOUNDS)
                            .register(Metrics.globalRegistry)
                            .record(time));
        }
    }

    private static @Nullable Condition find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElse(null);
    }

    /** By the times in the conditions, so that a restart in between changes nothing. */
    private static Optional<Duration> waited(@Nullable Condition then, Condition now) {
        if (then == null
                || !then.status().equals(Condition.FALSE)
                || !now.status().equals(Condition.TRUE)) {
            return Optional.empty();
        }
        try {
            Duration time =
                    Duration.between(Instant.parse(then.lastTransitionTime()), Instant.parse(now.lastTransitionTime()));
            return time.isNegative() ? Optional.empty() : Optional.of(time);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
