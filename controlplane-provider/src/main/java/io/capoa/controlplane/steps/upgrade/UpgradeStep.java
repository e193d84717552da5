package io.capoa.controlplane.steps.upgrade;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.steps.install.InputsStep.Inputs;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.steps.machines.Fence;
import io.capoa.controlplane.steps.machines.WorkloadClusterQueries;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.TargetImage;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.controlplane.upgrade.UpgradePlanner;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.capoa.controlplane.workload.ClusterUpgrader;
import io.capoa.controlplane.workload.EtcdHealth;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Upgrades an installed cluster to {@code spec.distributionVersion}. It changes the cluster behind the {@link Fence}, on a
 * decision that is repeated on what the cluster says in that moment.
 */
public final class UpgradeStep {

    /** Reason of the Event for a change of the cluster. */
    private static final String UPGRADING_CLUSTER = "UpgradingCluster";

    private final ReleaseResolution releases;
    private final Fence fence;
    private final EventRecorder events;
    private final HealthCheckStep healthChecks;

    /**
     * The step.
     *
     * @param client of the management cluster, as is the applier
     */
    public UpgradeStep(
            ReleaseResolution releases, Fence fence, EventRecorder events, KubernetesClient client, Applier applier) {
        this.healthChecks = new HealthCheckStep(client, applier);
        this.releases = releases;
        this.fence = fence;
        this.events = events;
    }

    /** Returns {@code null} before the installation is complete. */
    public @Nullable UpgradeOutcome apply(
            ControlPlaneObservation observation, Inputs inputs, WorkloadClusterQueries queries) {
        if (!observation.installed()) {
            return null;
        }
        ClusterUpgradeState seen = queries.upgrade(target(observation), isWanted(observation));
        UpgradeRequest request = request(observation, inputs, seen);
        UpgradeDecision decision = UpgradePlanner.next(request, seen);
        if (decision instanceof UpgradeDecision.Request && !isMoving(seen)) {
            decision = behindEtcd(observation, queries, decision);
        }
        UpgradeOutcome outcome = new UpgradeOutcome(
                decision instanceof UpgradeDecision.Change ? change(observation, request, queries) : decision, seen);
        healthChecks.apply(observation, outcome);
        return outcome;
    }

    /** Drops what is remembered of a control plane. */
    public void forget(ResourceID controlPlane) {
        healthChecks.forget(controlPlane);
    }

    /** A change of the release waits until etcd has a healthy member on each Machine. */
    private static UpgradeDecision behindEtcd(
            ControlPlaneObservation observation, WorkloadClusterQueries queries, UpgradeDecision decision) {
        int machines = observation.machines().size();
        EtcdHealth etcd = queries.etcd(machines);
        if (etcd == null) {
            return new UpgradeDecision.Moving("asking the cluster whether etcd is healthy");
        }
        String obstacle = etcd.obstacle(true);
        return obstacle == null && etcd.missingMembers(machines) == null
                ? decision
                : UpgradeDecision.waiting(
                        Objects.requireNonNullElseGet(obstacle, () -> String.valueOf(etcd.missingMembers(machines))));
    }

    private static boolean isMoving(@Nullable ClusterUpgradeState seen) {
        return seen != null && seen.version() != null && seen.version().isMoving();
    }

    private UpgradeDecision change(
            ControlPlaneObservation observation, UpgradeRequest request, WorkloadClusterQueries queries) {
        String kubeconfig =
                Objects.requireNonNull(queries.kubeconfig(), "a cluster without kubeconfig gives no answer");
        UpgradeDecision made = ClusterUpgrader.proceed(kubeconfig, request, () -> fence.obstacle(observation));
        queries.upgradeChanged();
        if (made instanceof UpgradeDecision.Change change) {
            events.tell(observation.controlPlane(), RecordedEvent.good(UPGRADING_CLUSTER, change.message()));
        }
        return made;
    }

    private UpgradeRequest request(
            ControlPlaneObservation observation, Inputs inputs, @Nullable ClusterUpgradeState seen) {
        UpgradeRequest request = new UpgradeRequest(
                target(observation),
                observation.controlPlane().getSpec().upgrade(),
                obstacle(observation),
                new TargetImage.Pending());
        boolean needsImage = request.isExplicit() && seen != null && !seen.isAtRest(request.target());
        return needsImage ? request.with(releases.target(observation, inputs)) : request;
    }

    /** Another operation on the control plane, or Machines that are not well; {@code null} if there is nothing. */
    private static @Nullable String obstacle(ControlPlaneObservation observation) {
        List<Machine> machines = observation.machines();
        String deleting = names(machines, machine -> machine.getMetadata().getDeletionTimestamp() != null);
        if (!deleting.isEmpty()) {
            return "Machine %s is being deleted: wait until it is gone".formatted(deleting);
        }
        String unready = names(machines, machine -> !MachineView.of(machine).isReady());
        return unready.isEmpty() ? null : "Machine %s is not Ready: repair it".formatted(unready);
    }

    private static String names(List<Machine> machines, Predicate<Machine> which) {
        return machines.stream()
                .filter(which)
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static boolean isWanted(ControlPlaneObservation observation) {
        var status = observation.controlPlane().getStatus();
        String runs = status == null ? null : status.distributionVersion();
        return runs != null && !runs.equals(target(observation));
    }

    private static String target(ControlPlaneObservation observation) {
        return observation.controlPlane().getSpec().distributionVersion();
    }
}
