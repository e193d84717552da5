package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is requeued while a status is held. */
class StatusReporterTest {

    private static final Duration HELD = Duration.ofSeconds(3);

    private record Status(List<Condition> conditions) implements ConditionedStatus {}

    @Group("test")
    @Version("v1")
    private static final class Kind extends CustomResource<String, Status> {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aRequestedRequeue_isKeptWhileAStatusIsHeld() {
        assertThat(requeue(Duration.ofMillis(500))).contains(500L);
        assertThat(requeue(Duration.ofSeconds(10))).contains(10_000L);
        assertThat(requeue(null)).as("the timer of held statuses").isEmpty();
    }

    private static Optional<Long> requeue(@Nullable Duration again) {
        Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        var debouncer =
                new StatusDebouncer<Status>(clock, 1, 1, Status::conditions, (before, after) -> Patience.of(HELD));
        // A held status needs neither a recorder nor a context.
        var reporter = new StatusReporter<>(Kind::new, "test", debouncer, null, (before, after) -> List.of(), clock);
        return reporter.report(new Kind(), new Status(List.of()), again, null).getScheduleDelay();
    }
}
