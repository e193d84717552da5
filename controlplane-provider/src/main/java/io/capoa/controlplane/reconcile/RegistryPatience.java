package io.capoa.controlplane.reconcile;

import io.capoa.controlplane.steps.install.ReleaseState;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Suppresses the status "asking the registry" for the short time in which registries usually answer. */
final class RegistryPatience {

    private final Clock clock;
    private final Map<ResourceID, Instant> askedSince = new ConcurrentHashMap<>();

    RegistryPatience(Clock clock) {
        this.clock = clock;
    }

    /** Whether the registry has been asked so recently that reporting it is not worth a write. */
    boolean isYoung(ResourceID id, ReleaseState release) {
        if (!(release instanceof ReleaseState.Resolving)) {
            askedSince.remove(id);
            return false;
        }
        Instant now = clock.instant();
        Instant since = askedSince.putIfAbsent(id, now);
        return since == null || now.isBefore(since.plus(Requeue.REGISTRY_ANSWERS_WITHIN));
    }

    void forget(ResourceID id) {
        askedSince.remove(id);
    }
}
