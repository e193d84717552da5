package io.capoa.controlplane.operation;

import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.RemediationSettings;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Floor;
import io.capoa.controlplane.machines.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Operation#next} decides from, but for etcd.
 *
 * @param machines the control plane's Machines, including those being deleted
 * @param singleNode whether the cluster was installed on one host
 * @param retryDue whether the user has requested a retry of the failed installation
 * @param upgrading whether the cluster moves to another release
 * @param updatingNodes how far the cluster's machine-config operator is with nodes that it updates; empty if it updates none
 * @param topologyVersion Kubernetes version of the Cluster's topology that the control plane has not been given yet; {@code null}
 *     if there is none
 * @param outdated how Machines differ from the spec so that only a replacement helps, by name; up-to-date ones are absent
 */
public record Situation(
        ControlPlaneIdentity identity,
        List<Machine> machines,
        Stage stage,
        boolean singleNode,
        boolean retryDue,
        boolean upgrading,
        String updatingNodes,
        @Nullable String topologyVersion,
        SortedMap<String, List<String>> outdated,
        Instant now) {

    OpenshiftAssistedControlPlaneSpec spec() {
        return identity.controlPlane().getSpec();
    }

    @Nullable
    Integer replicas() {
        return spec().replicas();
    }

    /** Whether the spec asks for several hosts of a cluster that was installed on one. */
    boolean becomesMany() {
        return stage == Stage.AFTER && singleNode && replicas() != null && replicas() > 1;
    }

    RemediationSettings remediation() {
        return Objects.requireNonNullElse(spec().remediation(), RemediationSettings.DEFAULTS);
    }

    /** Whether the spec lets the etcd operator's quorum guard be overridden during a replacement. */
    public boolean mayOverrideGuard() {
        return Boolean.TRUE.equals(remediation().overrideEtcdQuorumGuard());
    }

    /** How many voting members etcd has to have left after a removal. */
    public Floor floor() {
        Floor floor = Floor.of(replicas());
        return mayOverrideGuard() ? floor.withoutGuard() : floor;
    }

    /** Why no operation begins before the Cluster's topology has set its version; {@code null} if it has. */
    @Nullable
    String pendingTopology() {
        return topologyVersion == null
                ? null
                : ("the Cluster's topology asks for Kubernetes %s and has not set spec.version to it yet: wait, or look at"
                                + " condition TopologyReconciled of the Cluster")
                        .formatted(topologyVersion);
    }

    List<Machine> staying() {
        return machines.stream().filter(machine -> !isDeleting(machine)).toList();
    }

    static boolean isDeleting(Machine machine) {
        return machine.isMarkedForDeletion();
    }
}
