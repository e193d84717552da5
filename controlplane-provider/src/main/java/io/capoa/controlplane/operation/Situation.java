package io.capoa.controlplane.operation;

import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.RemediationSettings;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Floor;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
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
 * @param outdated those that stay and differ from the spec so that only a replacement helps
 */
public record Situation(
        ControlPlaneIdentity identity,
        Machines machines,
        Stage stage,
        boolean singleNode,
        boolean retryDue,
        boolean upgrading,
        String updatingNodes,
        @Nullable String topologyVersion,
        Machines outdated,
        Instant now) {

    /** The situation of an observed control plane. */
    public static Situation of(
            ControlPlaneObservation observation, boolean upgrading, String updatingNodes, Instant now) {
        Set<String> differing = observation.differences(now).keySet();
        AgentClusterInstall install = observation.install();
        return new Situation(
                observation.identity(),
                observation.machines(),
                observation.stage(),
                install != null && AgentClusterInstallView.of(install).controlPlaneAgents() == 1,
                observation.retryDue(),
                upgrading,
                updatingNodes,
                pendingVersion(observation),
                // Without its config nothing tells what the host was installed with.
                observation
                        .machines()
                        .staying()
                        .filter(machine ->
                                differing.contains(machine.getMetadata().getName())
                                        && observation
                                                .config(machine.getMetadata().getName())
                                                .isPresent()),
                now);
    }

    /** In an upgrade over several minor versions, core names the version of the step in an annotation. */
    private static @Nullable String pendingVersion(ControlPlaneObservation observation) {
        String version = observation.controlPlane().getSpec().version();
        ClusterView cluster = ClusterView.of(observation.cluster());
        String topology = cluster.topologyVersion();
        boolean pending = Labels.has(observation.controlPlane(), Labels.TOPOLOGY_OWNED)
                && version != null
                && topology != null
                && !version.equals(topology)
                && !version.equals(cluster.upgradeStep());
        return pending ? topology : null;
    }

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
}
