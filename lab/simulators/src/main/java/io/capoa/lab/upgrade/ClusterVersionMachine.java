package io.capoa.lab.upgrade;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The state machine of a cluster-version operator; each call makes one transition. */
public final class ClusterVersionMachine {

    private static final int MACHINE_CONFIG_PATIENCE = 3;

    /**
     * Result of a transition.
     *
     * @param state equal to the one before if nothing changes now
     * @param due when something may change without a new observation; empty for never
     */
    public record Next(UpdateState state, Optional<Instant> due) {}

    private ClusterVersionMachine() {}

    /** The next state. */
    public static Next next(UpdateState state, Observation seen, Pace pace, Instant now) {
        UpdateState requested = request(state, seen, now);
        if (!requested.equals(state)) {
            return new Next(requested, Optional.empty());
        }
        Next checked = check(state, seen, pace, now);
        if (!checked.state().equals(state)) {
            return checked;
        }
        Next applied = apply(state, seen, pace, now);
        return new Next(applied.state(), earliest(checked.due(), applied.due()));
    }

    /**
     * Observes the spec, unless a payload is being retrieved: the operator finishes that first, and takes the payload if it is
     * acceptable. A spec without request then asks for the operator's own release, which is the one before until the
     * operator has been replaced.
     */
    private static UpdateState request(UpdateState state, Observation seen, Instant now) {
        if (state.isRetrieving()) {
            return state;
        }
        if (seen.spec().desired().isEmpty() && state.isOfOldOperator()) {
            return state.accept(HistoryEntry.current(state.history()), true, "", now);
        }
        RequestedPayload requested = RequestedPayload.of(seen.spec(), state, seen.updates());
        Optional<Retrieval> retrieval = requested
                .payload()
                .map(payload -> state.retrieval()
                        .filter(running -> running.isOf(payload))
                        .orElseGet(() -> new Retrieval(payload, now, Optional.empty())));
        return state.observe(seen.spec().generation(), requested.invalid(), retrieval);
    }

    private static Next check(UpdateState state, Observation seen, Pace pace, Instant now) {
        if (state.retrieval().isEmpty() || seen.retrievalHeld()) {
            return new Next(state, Optional.empty());
        }
        Retrieval retrieval = state.retrieval().get();
        Instant end = retrieval.since().plus(pace.payload());
        if (now.isBefore(end)) {
            return new Next(state, Optional.of(end));
        }
        boolean force = seen.spec().desired().map(UpdateRequest::force).orElse(false);
        PayloadCheck check = PayloadCheck.of(retrieval.payload(), force, state, seen);
        UpdateState next = check.refusal().isPresent()
                ? state.with(Optional.of(new Retrieval(retrieval.payload(), retrieval.since(), check.refusal())))
                : state.accept(check.payload(), check.verified(), check.acceptedRisks(), now);
        return new Next(next, Optional.empty());
    }

    private static Next apply(UpdateState state, Observation seen, Pace pace, Instant now) {
        if (state.rollout().isEmpty() || state.isInstalling()) {
            return new Next(state, Optional.empty());
        }
        Rollout rollout = state.rollout().get();
        boolean poolsPending =
                rollout.operator().equals(Operators.MACHINE_CONFIG) && seen.pools() != Observation.Pools.UPDATED;
        if (seen.faultOf(rollout.operator()) == OperatorFault.NONE && !poolsPending) {
            Instant end = rollout.since().plus(pace.operator());
            return now.isBefore(end)
                    ? new Next(state, Optional.of(end))
                    : new Next(state.operatorDone(rollout, now), Optional.empty());
        }
        Instant suspected = rollout.since().plus(patience(rollout.operator(), pace));
        return new Next(state, now.isBefore(suspected) ? Optional.of(suspected) : Optional.empty());
    }

    /** How long the operator may take before it is suspected. */
    static Duration patience(String operator, Pace pace) {
        return operator.equals(Operators.MACHINE_CONFIG)
                ? pace.patience().multipliedBy(MACHINE_CONFIG_PATIENCE)
                : pace.patience();
    }

    private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
    }
}
