package io.capoa.lab.upgrade;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * State of a cluster-version operator.
 *
 * @param desired the payload that is applied or being applied
 * @param history newest first
 * @param versions version of each cluster operator
 * @param retrieval a requested payload that is not accepted yet
 * @param rollout progress of applying {@code desired}; empty when all of it is applied
 * @param observedGeneration of the spec that the rest belongs to
 * @param invalid why the requested update is ignored; empty if it is not
 */
public record UpdateState(
        Payload desired,
        List<HistoryEntry> history,
        Map<String, String> versions,
        Optional<Retrieval> retrieval,
        Optional<Rollout> rollout,
        int observedGeneration,
        String invalid) {

    public UpdateState {
        history = List.copyOf(history);
        versions = Map.copyOf(versions);
    }

    /** A cluster that is being installed. */
    public static UpdateState installing(Payload payload, Instant now) {
        Map<String, String> versions = new HashMap<>();
        Operators.IN_ORDER.forEach(operator -> versions.put(operator, payload.version()));
        return new UpdateState(
                payload,
                List.of(HistoryEntry.start(payload, now, false, "")),
                versions,
                Optional.empty(),
                Optional.of(new Rollout(0, now)),
                1,
                "");
    }

    /** Whether the first release is not applied yet: changes of the spec are ignored. */
    public boolean isInstalling() {
        return history.size() == 1 && !history.getFirst().applied();
    }

    /** Whether a requested payload is being retrieved, or was refused. */
    public boolean hasRequest() {
        return retrieval.isPresent();
    }

    /** Whether a requested payload is being retrieved for the first time; the operator does nothing else meanwhile. */
    public boolean isRetrieving() {
        return retrieval.filter(running -> running.refusal().isEmpty()).isPresent();
    }

    /** Whether the operator of the release before still runs: the first thing that a release replaces. */
    boolean isOfOldOperator() {
        return !isInstalling()
                && rollout.filter(running -> running.done() == 0).isPresent()
                && !HistoryEntry.current(history).equals(desired);
    }

    /** The state with the payload applied everywhere. */
    public UpdateState applied(Instant now) {
        Map<String, String> all = new HashMap<>(versions);
        Operators.IN_ORDER.forEach(operator -> all.put(operator, desired.version()));
        return new UpdateState(
                desired, historyApplied(now), all, retrieval, Optional.empty(), observedGeneration, invalid);
    }

    /** The state in which the payload starts to be applied. */
    public UpdateState accept(Payload payload, boolean verified, String acceptedRisks, Instant now) {
        return new UpdateState(
                payload,
                HistoryEntry.add(history, HistoryEntry.start(payload, now, verified, acceptedRisks)),
                versions,
                Optional.empty(),
                Optional.of(new Rollout(0, now)),
                observedGeneration,
                invalid);
    }

    UpdateState with(Optional<Retrieval> next) {
        return new UpdateState(desired, history, versions, next, rollout, observedGeneration, invalid);
    }

    UpdateState observe(int generation, String why, Optional<Retrieval> next) {
        return new UpdateState(desired, history, versions, next, rollout, generation, why);
    }

    /** The state after the operator that is being updated has the new version. */
    UpdateState operatorDone(Rollout running, Instant now) {
        Map<String, String> updated = new HashMap<>(versions);
        updated.put(running.operator(), desired.version());
        Rollout next = running.next(now);
        return next.isComplete()
                ? applied(now)
                : new UpdateState(desired, history, updated, retrieval, Optional.of(next), observedGeneration, invalid);
    }

    private List<HistoryEntry> historyApplied(Instant now) {
        List<HistoryEntry> changed = new java.util.ArrayList<>(history);
        changed.set(0, history.getFirst().apply(now));
        return changed;
    }
}
