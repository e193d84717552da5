package io.capoa.runtime.assisted;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Separates checks that fail for a moment from those that fail to stay. In every healthy installation some checks of
 * assisted-service fail until hosts have synchronized their clocks, reached each other and downloaded what they need.
 *
 * <p>Remembers since when each check has failed; that is lost in a restart, so callers say which failure they
 * have reported already.
 */
public final class ValidationGrace {

    /** For how long a check may fail before it counts as a failure. */
    public static final Duration LENGTH = Duration.ofMinutes(2);

    /**
     * What fails at one time.
     *
     * @param lasting failures to report
     * @param settling checks that may still pass without help
     * @param left until the next of {@code settling} counts as a failure; {@code null} where there is none
     */
    public record Verdict(
            List<FailedValidation> lasting,
            List<FailedValidation> settling,
            @Nullable Duration left) {

        /** Nothing fails. */
        public static final Verdict PASSING = new Verdict(List.of(), List.of(), null);
    }

    /** Since when the checks of one object have failed. */
    private record Failing(@Nullable String uid, Map<String, Instant> since) {}

    private final Clock clock;
    private final Map<ResourceID, Failing> known = new ConcurrentHashMap<>();

    public ValidationGrace(Clock clock) {
        this.clock = clock;
    }

    /**
     * Judges what fails now.
     *
     * @param primary the object in whose conditions the failures are reported
     * @param object the Agent or AgentClusterInstall
     * @param failing its failing checks
     * @param reported whether the primary's conditions report a failure of its checks already
     * @param settles whether a check may pass without help
     */
    public Verdict judge(
            ResourceID primary,
            GenericKubernetesResource object,
            List<FailedValidation> failing,
            boolean reported,
            Predicate<FailedValidation> settles) {
        if (failing.isEmpty()) {
            forget(primary);
            return Verdict.PASSING;
        }
        Map<String, Instant> before = before(primary, object.getMetadata().getUid());
        Instant now = clock.instant();
        Map<String, Instant> since = new HashMap<>();
        List<FailedValidation> lasting = new ArrayList<>();
        List<FailedValidation> settling = new ArrayList<>();
        Duration left = null;
        for (FailedValidation check : failing) {
            Instant first = before.getOrDefault(check.id(), now);
            since.put(check.id(), first);
            Duration rest = Duration.between(now, first.plus(LENGTH));
            if (reported || !settles.test(check) || !rest.isPositive()) {
                lasting.add(check);
            } else {
                settling.add(check);
                left = left == null || rest.compareTo(left) < 0 ? rest : left;
            }
        }
        known.put(primary, new Failing(object.getMetadata().getUid(), Map.copyOf(since)));
        return new Verdict(List.copyOf(lasting), List.copyOf(settling), left);
    }

    /** Drops what is known of an object that is gone. */
    public void forget(ResourceID primary) {
        known.remove(primary);
    }

    private Map<String, Instant> before(ResourceID primary, @Nullable String uid) {
        Failing failing = known.get(primary);
        return failing != null && Objects.equals(failing.uid(), uid) ? failing.since() : Map.of();
    }
}
