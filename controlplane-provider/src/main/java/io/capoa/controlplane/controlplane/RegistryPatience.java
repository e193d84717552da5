package io.capoa.controlplane.controlplane;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells whether a registry is just being asked: mostly it answers before anybody could read that it is. */
final class RegistryPatience {

    static final Duration ANSWERS_WITHIN = Duration.ofMillis(500);

    private final Clock clock;
    private final Map<ResourceID, Instant> askedSince = new ConcurrentHashMap<>();

    RegistryPatience(Clock clock) {
        this.clock = clock;
    }

    /** Whether the question is so young that saying so is not worth a write. */
    boolean isYoung(ResourceID id, ReleaseState release) {
        if (!(release instanceof ReleaseState.Resolving)) {
            askedSince.remove(id);
            return false;
        }
        Instant now = clock.instant();
        Instant since = askedSince.putIfAbsent(id, now);
        return since == null || now.isBefore(since.plus(ANSWERS_WITHIN));
    }

    void forget(ResourceID id) {
        askedSince.remove(id);
    }
}
