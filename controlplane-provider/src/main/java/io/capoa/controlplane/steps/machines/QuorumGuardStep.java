package io.capoa.controlplane.steps.machines;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.EventReasons;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.Situation;
import io.capoa.controlplane.workload.etcd.QuorumGuard;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.write.Applier;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Overrides the etcd operator's quorum guard while two of three members are left and the user consents to it, and restores
 * it afterwards. An annotation of the control plane, written first and removed last, survives a crash in between.
 */
public final class QuorumGuardStep {

    private static final int LEFT_OF_THREE = 2;

    private final Applier applier;
    private final Fence fence;
    private final EventRecorder events;

    public QuorumGuardStep(Applier applier, Fence fence, EventRecorder events) {
        this.applier = applier;
        this.fence = fence;
        this.events = events;
    }

    /**
     * Changes the guard if it has to be.
     *
     * @param etcd the cluster's answer in this reconcile; {@code null} if it has not been asked
     */
    void apply(
            ControlPlaneObservation observation,
            Situation situation,
            @Nullable EtcdState etcd,
            WorkloadClusterQueries queries) {
        boolean marked = isMarked(observation);
        String kubeconfig = queries.kubeconfig();
        if (situation.stage() != Stage.AFTER || kubeconfig == null) {
            return;
        }
        EtcdState seen =
                etcd == null && marked ? queries.etcdState(situation.machines().size()) : etcd;
        boolean permitted = situation.mayOverrideGuard(seen) && observation.desiredReplicas() > LEFT_OF_THREE;
        if (permitted && isStuck(seen)) {
            begin(observation, kubeconfig, marked);
        } else if (marked && (!permitted || hasThree(seen))) {
            end(observation, kubeconfig);
        }
    }

    /** Once more if the cluster did not take it. An override that the user has set stays the user's. */
    private void begin(ControlPlaneObservation observation, String kubeconfig, boolean again) {
        if (fence.obstacle(observation) != null || (!again && QuorumGuard.isOverridden(kubeconfig))) {
            return;
        }
        applier.patch(observation.controlPlane(), mark("true"));
        String failure = QuorumGuard.override(kubeconfig, true);
        if (again) {
            return;
        }
        tell(
                observation,
                failure == null
                        ? "overriding the quorum guard of the etcd operator until three members are healthy"
                        : "the quorum guard of the etcd operator cannot be overridden: " + failure);
    }

    private void end(ControlPlaneObservation observation, String kubeconfig) {
        String failure = QuorumGuard.override(kubeconfig, false);
        if (failure == null) {
            applier.patch(observation.controlPlane(), mark(null));
            tell(observation, "the quorum guard of the etcd operator is restored");
        }
    }

    private void tell(ControlPlaneObservation observation, String message) {
        events.tell(observation.controlPlane(), RecordedEvent.good(EventReasons.ETCD_QUORUM_GUARD, message));
    }

    /** Two healthy members: no third is added to them. */
    private static boolean isStuck(@Nullable EtcdState etcd) {
        return etcd != null
                && etcd.membership() != null
                && etcd.membership().members().size() == LEFT_OF_THREE
                && etcd.membership().members().stream().allMatch(member -> member.healthy() && !member.learner());
    }

    private static boolean hasThree(@Nullable EtcdState etcd) {
        return etcd != null
                && etcd.membership() != null
                && etcd.membership().members().stream()
                                .filter(member -> member.healthy() && !member.learner())
                                .count()
                        > LEFT_OF_THREE;
    }

    private static boolean isMarked(ControlPlaneObservation observation) {
        return Annotations.has(observation.controlPlane(), Annotations.QUORUM_GUARD_OVERRIDDEN);
    }

    private static Map<String, Object> mark(@Nullable String value) {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(Annotations.QUORUM_GUARD_OVERRIDDEN, value);
        return Map.of("metadata", Map.of("annotations", annotations));
    }
}
