package io.capoa.controlplane.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds a status back for the short time in which an answer usually comes that belongs into it. */
final class AnswerPatience {

    private final Clock clock;
    private final Duration usual;
    private final Map<ResourceID, Instant> askedSince = new ConcurrentHashMap<>();

    /**
     * The patience.
     *
     * @param usual time in which the answer usually comes
     */
    AnswerPatience(Clock clock, Duration usual) {
        this.clock = clock;
        this.usual = usual;
    }

    /**
     * Whether the query is so young that a status without its answer is not worth a write.
     *
     * @param asking whether the answer is still to come
     */
    boolean isYoung(ResourceID id, boolean asking) {
        if (!asking) {
            askedSince.remove(id);
            return false;
        }
        Instant now = clock.instant();
        Instant since = askedSince.putIfAbsent(id, now);
        return since == null || now.isBefore(since.plus(usual));
    }

    void forget(ResourceID id) {
        askedSince.remove(id);
    }
}
