package io.capoa.controlplane.operation;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.RemediationSettings;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Floor;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.workload.health.EtcdState;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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

    /**
     * Whether the etcd operator's quorum guard may be overridden now: by the spec, or because a Machine was replaced with
     * {@link #consents consent} and its replacement does not vote yet.
     *
     * @param etcd the cluster's answer; {@code null} if it has not been asked
     */
    public boolean mayOverrideGuard(@Nullable EtcdState etcd) {
        return mayAlwaysOverrideGuard()
                || RemediationRecord.inProgress(identity.controlPlane())
                        .filter(RemediationRecord::overridesGuard)
                        .isPresent()
                || machines.staying().stream()
                        .filter(machine -> etcd == null || !etcd.votes(machine))
                        .anyMatch(machine -> replaced(machine).anyMatch(RemediationRecord::overridesGuard));
    }

    /** Whether it may be overridden to replace this unhealthy Machine: by the spec, or by an annotation of the Machine. */
    boolean mayOverrideGuardFor(Machine unhealthy) {
        return mayAlwaysOverrideGuard() || consents(unhealthy);
    }

    /** Whether the annotation of a Machine of this very control plane permits it. */
    boolean consents(Machine unhealthy) {
        return identity.controls(unhealthy) && Annotations.has(unhealthy, Annotations.OVERRIDE_QUORUM_GUARD);
    }

    private boolean mayAlwaysOverrideGuard() {
        return Boolean.TRUE.equals(remediation().overrideEtcdQuorumGuard());
    }

    /** How many voting members etcd has to have left after the removal of a Machine. */
    public Floor floor(Machine leaving) {
        Floor floor = Floor.of(replicas());
        return mayAlwaysOverrideGuard() || isReplacedWithConsent(leaving) ? floor.withoutGuard() : floor;
    }

    private boolean isReplacedWithConsent(Machine leaving) {
        return Stream.concat(
                        RemediationRecord.inProgress(identity.controlPlane()).stream(),
                        machines.stream().flatMap(this::replaced))
                .anyMatch(record -> record.overridesGuard() && record.isOf(leaving) && !record.isBefore(leaving));
    }

    /** What a Machine of this very control plane replaces. */
    private Stream<RemediationRecord> replaced(Machine machine) {
        return identity.controls(machine) ? RemediationRecord.onReplacement(machine).stream() : Stream.empty();
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
