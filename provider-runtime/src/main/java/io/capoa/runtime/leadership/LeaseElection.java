package io.capoa.runtime.leadership;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a replica does next to get and to keep the Lease, by the rules of client-go's leader election. Sends no
 * request and reads no clock; used by one thread.
 *
 * <p>Times are nanoseconds of this process's monotonic clock. Times in a Lease come from the clock of another host, which
 * may be wrong, and are only compared with each other: a Lease has ended when it has not changed for its duration.
 *
 * <p>There are never two leaders, because a leader stops writing ({@link #certainUntil}) earlier than others take over: its
 * renew deadline is shorter than the lease duration, and counts from the sending of the last renewal, theirs from when they
 * see the result. Leadership is lost when requests failed until then. A process that was only kept from sending them, by
 * load or because it was suspended, sends one more: if the Lease is unchanged, nobody else has led.
 */
final class LeaseElection {

    /** What to do; each request is followed by {@link #read}, {@link #written} or {@link #failed}. */
    enum Step {
        /** Read the Lease. */
        READ,
        /** Write {@link #claim}. */
        WRITE,
        /** Do nothing until {@link #due}. */
        WAIT,
        /** Leadership is lost, see {@link #lossReason}: reconcile no more. */
        LOST
    }

    static final String API_VERSION = "coordination.k8s.io/v1";
    static final String KIND = "Lease";

    private static final String HOLDER = "holderIdentity";
    private static final String DURATION = "leaseDurationSeconds";
    private static final String ACQUIRED = "acquireTime";
    private static final String RENEWED = "renewTime";
    private static final String TRANSITIONS = "leaseTransitions";

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    /** A standby pauses for one retry period and up to 1.2 more, as client-go does: standbys are not to come together. */
    private static final double JITTER = 1.2;

    /** Go reads a MicroTime with exactly six digits. */
    private static final DateTimeFormatter MICRO_TIME =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

    private final String name;
    private final String namespace;
    private final String identity;
    private final Duration leaseDuration;
    private final long renewDeadline;
    private final long retryPeriod;
    private final DoubleSupplier random;

    /** As the API server answered last; absent also when the next write has to be preceded by a read. */
    private @Nullable GenericKubernetesResource lease;

    private Map<String, Object> observed = Map.of();
    private long observedAt;
    private boolean leading;
    private long renewedAt;
    private Step next = Step.READ;
    private long attemptAt;
    private long sentAt;
    private long patience;
    private boolean conflictFollowed;
    /** Whether a renewal has failed since the last one that succeeded, although this process did its part in time. */
    private boolean refused;

    private long due;
    private String lossReason = "";

    /**
     * @param identity of this process, different from that of every other one
     * @param random from 0 to 1
     */
    LeaseElection(
            String namespace,
            String name,
            String identity,
            Duration leaseDuration,
            Duration renewDeadline,
            Duration retryPeriod,
            DoubleSupplier random) {
        this.namespace = namespace;
        this.name = name;
        this.identity = identity;
        this.leaseDuration = leaseDuration;
        this.renewDeadline = renewDeadline.toNanos();
        this.retryPeriod = retryPeriod.toNanos();
        this.random = random;
    }

    /** The next step; a request is to be sent at once. */
    Step next(long now) {
        if (isOverdue(now) && refused) {
            lose("it could not be renewed for "
                    + Duration.ofNanos(renewDeadline).toMillis() + " ms");
        } else if (next == Step.WAIT && (now - due >= 0 || isOverdue(now))) {
            next = leading && lease != null ? Step.WRITE : Step.READ;
            conflictFollowed = false;
            attemptAt = now;
        }
        patience = patienceAt(now);
        sentAt = now;
        return next;
    }

    /** Until when a leader may write: from then on only a renewal that succeeds shows that nobody else has led. */
    long certainUntil() {
        return renewedAt + renewDeadline;
    }

    private boolean isOverdue(long now) {
        return leading && now - certainUntil() >= 0;
    }

    /** When {@link Step#WAIT} ends. */
    long due() {
        return leading ? Math.min(due - renewedAt, renewDeadline) + renewedAt : due;
    }

    /**
     * For how long to wait for the answer to the request that {@link #next} asked for, in nanoseconds. Half the deadline, so
     * that a second attempt is possible, over another connection.
     */
    long patience() {
        return patience;
    }

    private long patienceAt(long now) {
        long half = renewDeadline / 2;
        return leading && !isOverdue(now) ? Math.min(half, certainUntil() - now) : half;
    }

    /** @param answer the Lease, {@code null} if there is none */
    void read(@Nullable GenericKubernetesResource answer, long now) {
        remember(answer);
        if (holder().isEmpty() && isOverdue(now)) {
            lose("it was released or deleted when it had not been renewed for "
                    + Duration.ofNanos(now - renewedAt).toMillis() + " ms");
        } else if (holder().isEmpty() || holder().equals(identity)) {
            // With this process as holder: the answer to a write was lost, or another writer changed something else.
            next = Step.WRITE;
        } else if (leading) {
            lose(holder() + " holds it");
        } else {
            observe(now);
            if (now - observedAt >= duration().toNanos()) {
                next = Step.WRITE;
            } else {
                pause(now);
            }
        }
    }

    /**
     * The claim was accepted.
     *
     * @return whether leadership begins with it
     */
    boolean written(GenericKubernetesResource answer, long now) {
        boolean won = !leading;
        remember(answer);
        leading = true;
        refused = false;
        renewedAt = sentAt;
        if (won) {
            attemptAt = sentAt;
        }
        pause(now);
        return won;
    }

    /** @param code HTTP status of the answer; less than 100 without one */
    void failed(int code, long now) {
        boolean changed = next == Step.WRITE && (code == CONFLICT || code == NOT_FOUND);
        if (changed) {
            lease = null;
        }
        if (changed && leading && !conflictFollowed) {
            conflictFollowed = true;
            next = Step.READ;
        } else {
            // An answer that this process came to look for much too late may have been there in time.
            refused = refused || now - sentAt < patience + retryPeriod;
            pause(now);
        }
    }

    /** Whether the claim is to be created, because there is no Lease to update. */
    boolean creates() {
        return lease == null;
    }

    /** The Lease with this process as holder and everything that others have added to it. */
    GenericKubernetesResource claim(Instant time) {
        var known = lease;
        var spec = known == null ? new LinkedHashMap<String, Object>() : spec(known);
        boolean kept = isHolder(known);
        spec.put(HOLDER, identity);
        spec.put(DURATION, Math.toIntExact(leaseDuration.plusMillis(999).toSeconds()));
        spec.put(RENEWED, MICRO_TIME.format(time));
        if (!kept) {
            spec.put(ACQUIRED, MICRO_TIME.format(time));
            var transitions = known == null ? null : Fields.integer(known, "spec", TRANSITIONS);
            spec.put(TRANSITIONS, known == null ? 0 : transitions == null ? 1 : transitions + 1);
        }
        return with(known, spec);
    }

    /** The Lease without a holder, for the next one to take at once. */
    GenericKubernetesResource released(GenericKubernetesResource held, Instant time) {
        var spec = spec(held);
        spec.put(HOLDER, "");
        spec.put(DURATION, 1);
        spec.put(RENEWED, MICRO_TIME.format(time));
        return with(held, spec);
    }

    boolean isHolder(@Nullable GenericKubernetesResource held) {
        return held != null && identity.equals(Fields.string(held, "spec", HOLDER));
    }

    /** The Lease as the API server answered last. */
    @Nullable
    GenericKubernetesResource lease() {
        return lease;
    }

    boolean isLeading() {
        return leading;
    }

    boolean isWaiting() {
        return next == Step.WAIT;
    }

    /** Whose Lease it was by the last answer; empty if it had no holder. */
    String holder() {
        var holder = lease == null ? null : Fields.string(lease, "spec", HOLDER);
        return holder == null ? "" : holder;
    }

    /** Follows "Lost lease N: ". */
    String lossReason() {
        return lossReason;
    }

    private void remember(@Nullable GenericKubernetesResource answer) {
        lease = answer;
        if (answer != null) {
            // Incomplete, see ObjectReading: without any, the API server keeps its own.
            answer.getMetadata().setManagedFields(null);
        }
    }

    private void observe(long now) {
        var spec = lease == null ? Map.<String, Object>of() : Fields.map(lease, "spec");
        if (!spec.equals(observed)) {
            observed = spec;
            observedAt = now;
        }
    }

    /** As the Lease itself says: its holder may have been started with other flags. */
    private Duration duration() {
        var seconds = lease == null ? null : Fields.integer(lease, "spec", DURATION);
        return seconds == null || seconds <= 0 ? leaseDuration : Duration.ofSeconds(seconds);
    }

    private void pause(long now) {
        next = Step.WAIT;
        due = leading
                ? attemptAt + retryPeriod
                : now + retryPeriod + (long) (random.getAsDouble() * JITTER * retryPeriod);
    }

    private void lose(String reason) {
        leading = false;
        next = Step.LOST;
        lossReason = reason;
    }

    private static Map<String, Object> spec(GenericKubernetesResource held) {
        return new LinkedHashMap<>(Fields.map(held, "spec"));
    }

    private GenericKubernetesResource with(@Nullable GenericKubernetesResource known, Map<String, Object> spec) {
        var claim = new GenericKubernetesResource();
        claim.setApiVersion(API_VERSION);
        claim.setKind(KIND);
        if (known == null) {
            claim.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(namespace)
                    .withName(name)
                    .build());
        } else {
            claim.setMetadata(known.getMetadata());
            claim.getAdditionalProperties().putAll(known.getAdditionalProperties());
        }
        claim.getAdditionalProperties().put("spec", spec);
        return claim;
    }
}
