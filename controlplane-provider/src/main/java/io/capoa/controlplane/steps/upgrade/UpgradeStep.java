package io.capoa.controlplane.steps.upgrade;

import io.capoa.api.Labels;
import io.capoa.api.conditions.EventReasons;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.Preflight;
import io.capoa.controlplane.steps.install.InputsStep.Inputs;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.steps.machines.Fence;
import io.capoa.controlplane.steps.machines.WorkloadClusterQueries;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ExpectedRelease;
import io.capoa.controlplane.upgrade.PoolPauses;
import io.capoa.controlplane.upgrade.RequestedKubernetes;
import io.capoa.controlplane.upgrade.TargetImage;
import io.capoa.controlplane.upgrade.UpgradeConsent;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.controlplane.upgrade.UpgradePlanner;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.upgrade.ClusterUpgrader;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.status.Blocker;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Upgrades an installed cluster to {@code spec.distributionVersion}. It changes the cluster behind the {@link Fence}, on a
 * decision that is repeated on what the cluster says in that moment.
 */
public final class UpgradeStep {

    private final ReleaseResolution releases;
    private final Fence fence;
    private final EventRecorder events;
    private final HealthCheckStep healthChecks;

    public UpgradeStep(ReleaseResolution releases, Fence fence, EventRecorder events, HealthCheckStep healthChecks) {
        this.releases = releases;
        this.fence = fence;
        this.events = events;
        this.healthChecks = healthChecks;
    }

    /** Returns {@code null} before the installation is complete. */
    public @Nullable UpgradeOutcome apply(
            ControlPlaneObservation observation, Inputs inputs, WorkloadClusterQueries queries) {
        if (!observation.installed()) {
            return null;
        }
        ClusterUpgradeState seen = queries.upgrade(target(observation), ExpectedRelease.of(observation.controlPlane()));
        UpgradeRequest request = request(observation, inputs, seen);
        UpgradeDecision decision = UpgradePlanner.next(request, seen);
        if (!(decision instanceof UpgradeDecision.Withdraw)) {
            decision = pausePools(observation, request, seen, queries).orElse(decision);
        }
        if (decision instanceof UpgradeDecision.Request && (seen == null || !seen.isMoving())) {
            decision = behindEtcd(observation, queries, decision);
        }
        UpgradeOutcome outcome = new UpgradeOutcome(
                decision instanceof UpgradeDecision.Change change
                        ? change(observation, request, change, queries)
                        : decision,
                seen);
        healthChecks.apply(observation, outcome);
        return outcome;
    }

    /** Releases what waits for an upgrade, when the control plane has been deleted. */
    public void end(ControlPlaneObservation observation) {
        healthChecks.end(observation);
    }

    /** Drops what is remembered of a control plane. */
    public void forget(ResourceID controlPlane) {
        healthChecks.forget(controlPlane);
    }

    /** The decision while pools of workers wait to be paused, or named wrongly; empty if an upgrade may go on. */
    private Optional<UpgradeDecision> pausePools(
            ControlPlaneObservation observation,
            UpgradeRequest request,
            @Nullable ClusterUpgradeState seen,
            WorkloadClusterQueries queries) {
        boolean atRest = seen == null || seen.isAtRest(request.target());
        String unknown = PoolPauses.unknown(request, seen);
        if (unknown != null && !atRest) {
            return Optional.of(
                    new UpgradeDecision.Blocked(new Blocker(ControlPlaneConditions.UPGRADE_POOL_NOT_READY, unknown)));
        }
        String kubeconfig = queries.kubeconfig();
        if (kubeconfig == null || PoolPauses.changes(request, seen).isEmpty()) {
            return Optional.empty();
        }
        Optional<String> done = ClusterUpgrader.pausePools(
                kubeconfig,
                request,
                observation.controlPlane().getMetadata().getName(),
                () -> fence.obstacle(observation));
        queries.upgradeChanged();
        done.ifPresent(message ->
                events.tell(observation.controlPlane(), RecordedEvent.good(EventReasons.UPGRADING_CLUSTER, message)));
        return atRest ? Optional.empty() : done.map(UpgradeDecision.Moving::new);
    }

    /** A change of the release waits until etcd has a healthy member on each Machine. */
    private static UpgradeDecision behindEtcd(
            ControlPlaneObservation observation, WorkloadClusterQueries queries, UpgradeDecision decision) {
        EtcdHealth etcd = queries.etcd(observation.machines().size());
        if (etcd == null) {
            return new UpgradeDecision.Moving("asking the cluster whether etcd is healthy");
        }
        String obstacle = Preflight.upgrade(observation.machines(), etcd);
        return obstacle == null ? decision : UpgradeDecision.waiting(obstacle);
    }

    private UpgradeDecision change(
            ControlPlaneObservation observation,
            UpgradeRequest request,
            UpgradeDecision.Change planned,
            WorkloadClusterQueries queries) {
        String kubeconfig =
                Objects.requireNonNull(queries.kubeconfig(), "a cluster without kubeconfig gives no answer");
        UpgradeDecision made = ClusterUpgrader.proceed(kubeconfig, request, planned, () -> fence.obstacle(observation));
        queries.upgradeChanged();
        if (made instanceof UpgradeDecision.Change change) {
            events.tell(
                    observation.controlPlane(), RecordedEvent.good(EventReasons.UPGRADING_CLUSTER, change.message()));
        }
        return made;
    }

    private UpgradeRequest request(
            ControlPlaneObservation observation, Inputs inputs, @Nullable ClusterUpgradeState seen) {
        UpgradeRequest request = new UpgradeRequest(
                target(observation),
                observation.controlPlane().getSpec().upgrade(),
                Preflight.upgrade(observation.machines()),
                kubernetes(observation),
                new TargetImage.Resolving(),
                UpgradeConsent.of(observation.controlPlane()));
        boolean asksRegistry = request.isExplicit() || request.kubernetes().needsConfirmation();
        boolean needsImage = asksRegistry && seen != null && !seen.isAtRest(request.target());
        return needsImage ? request.with(releases.target(observation, inputs)) : request;
    }

    private static RequestedKubernetes kubernetes(ControlPlaneObservation observation) {
        OpenshiftAssistedControlPlane controlPlane = observation.controlPlane();
        boolean ofTopology = Labels.has(controlPlane, Labels.TOPOLOGY_OWNED);
        return new RequestedKubernetes(
                controlPlane.getSpec().version(),
                ofTopology
                        ? Objects.requireNonNullElse(
                                ClusterView.of(observation.cluster()).topologyVersion(), "")
                        : null,
                observation.machines().stream()
                        .map(machine -> MachineView.of(machine).kubeletVersion())
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet()));
    }

    private static String target(ControlPlaneObservation observation) {
        return observation.controlPlane().getSpec().distributionVersion();
    }
}
