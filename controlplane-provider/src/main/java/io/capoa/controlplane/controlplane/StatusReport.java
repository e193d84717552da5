package io.capoa.controlplane.controlplane;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.Initialization;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes the status of a control plane from what was observed and what the steps have come to. */
final class StatusReport {

    /** The conditions that together make Ready, in the order in which they come true. */
    private static final List<String> HEALTH =
            List.of(MACHINES_CREATED, INSTALL_SUCCEEDING, KUBECONFIG_AVAILABLE, AVAILABLE, MACHINES_READY);

    private static final OpenshiftAssistedControlPlaneStatus NOTHING =
            new OpenshiftAssistedControlPlaneStatus(null, null, null, null, null, null, null, null, null, null, null);

    private final Clock clock;

    StatusReport(Clock clock) {
        this.clock = clock;
    }

    /** Nothing was looked at: everything stays as it was, but for the pause. */
    OpenshiftAssistedControlPlaneStatus paused(ControlPlaneObservation observation) {
        Conditions conditions = conditions(observation);
        String by = ClusterView.of(observation.cluster()).isPaused()
                ? "Cluster spec.paused is set to true"
                : "annotation " + Annotations.PAUSED + " is set";
        conditions.isTrue(PAUSED, PAUSED, by);
        keepOthers(conditions, observation);
        return withCounts(observation, conditions, before(observation).distributionVersion(), null, false);
    }

    /** Nothing can be made yet. */
    OpenshiftAssistedControlPlaneStatus waiting(ControlPlaneObservation observation, String reason, String message) {
        Conditions conditions = conditions(observation);
        active(conditions);
        if (observation.machines().size() < observation.desiredReplicas()) {
            conditions.isFalse(MACHINES_CREATED, reason, message);
        }
        boolean initialized = initialized(observation, false);
        if (!initialized) {
            conditions.isFalse(AVAILABLE, reason, message);
            conditions.isFalse(INITIALIZED, NOT_INITIALIZED, "");
        }
        conditions.isFalse(READY, reason, message);
        keepOthers(conditions, observation);
        return withCounts(observation, conditions, before(observation).distributionVersion(), null, false);
    }

    /** Kinds are not served, so that nothing is known: all stays as it was, but for what they are waited for. */
    OpenshiftAssistedControlPlaneStatus blind(OpenshiftAssistedControlPlane controlPlane, List<String> absent) {
        return failed(controlPlane, KIND_NOT_INSTALLED, "Waiting: " + String.join("; ", absent));
    }

    /** Something was not done, or nothing is known: all stays as it was, but for that. */
    OpenshiftAssistedControlPlaneStatus failed(
            OpenshiftAssistedControlPlane controlPlane, String reason, String message) {
        OpenshiftAssistedControlPlaneStatus before =
                Optional.ofNullable(controlPlane.getStatus()).orElse(NOTHING);
        Long generation = controlPlane.getMetadata().getGeneration();
        Conditions conditions = Conditions.after(before.conditions(), generation, clock);
        if (before.initialization() == null) {
            conditions.isFalse(AVAILABLE, reason, message);
        }
        if (controlPlane.isMarkedForDeletion()) {
            conditions.isTrue(DELETING, reason, message);
        }
        conditions.isFalse(READY, reason, message);
        Stream.ofNullable(before.conditions()).flatMap(List::stream).forEach(known -> conditions.keep(known.type()));
        return new OpenshiftAssistedControlPlaneStatus(
                before.initialization(),
                before.selector(),
                before.replicas(),
                before.readyReplicas(),
                before.availableReplicas(),
                before.upToDateReplicas(),
                before.versions(),
                before.version(),
                before.distributionVersion(),
                generation,
                conditions.toList());
    }

    /** The steps have run. */
    OpenshiftAssistedControlPlaneStatus of(Progress progress) {
        ControlPlaneObservation observation = progress.observation();
        Conditions conditions = conditions(observation);
        active(conditions);
        boolean initialized = initialized(observation, progress.serves());
        MachineConditions.set(conditions, progress, MachineCounts.of(observation));
        InstallConditions.set(conditions, progress, initialized);
        VersionConditions.set(conditions, progress);
        summary(conditions);
        ResolvedRelease release = progress.release().known();
        String runs = progress.distributionVersion();
        return withCounts(
                observation,
                conditions,
                runs == null ? before(observation).distributionVersion() : runs,
                release,
                progress.serves());
    }

    /** The control plane is being deleted. */
    OpenshiftAssistedControlPlaneStatus deleting(ControlPlaneObservation observation, String reason, String message) {
        Conditions conditions = conditions(observation);
        conditions.isTrue(DELETING, reason, message);
        conditions.isFalse(PAUSED, NOT_PAUSED, "");
        keepOthers(conditions, observation);
        return withCounts(observation, conditions, before(observation).distributionVersion(), null, false);
    }

    private OpenshiftAssistedControlPlaneStatus withCounts(
            ControlPlaneObservation observation,
            Conditions conditions,
            @Nullable String distributionVersion,
            @Nullable ResolvedRelease release,
            boolean serves) {
        MachineCounts counts = MachineCounts.of(observation);
        OpenshiftAssistedControlPlaneStatus before = before(observation);
        List<StatusVersion> versions = RunningVersions.of(observation.machines(), release);
        List<StatusVersion> known = release == null && before.versions() != null ? before.versions() : versions;
        String version = known.isEmpty() ? before.version() : known.getFirst().version();
        if (version == null && release != null) {
            version = "v" + release.kubernetesVersion();
        }
        return new OpenshiftAssistedControlPlaneStatus(
                initialized(observation, serves) ? new Initialization(true) : null,
                selector(observation),
                counts.all(),
                counts.ready(),
                counts.available(),
                conditions.get(UPGRADE_AVAILABLE).isPresent() ? 0 : counts.upToDate(),
                known.isEmpty() ? null : known,
                version,
                distributionVersion == null || distributionVersion.isEmpty() ? null : distributionVersion,
                observation.controlPlane().getMetadata().getGeneration(),
                conditions.toList());
    }

    /** Once the API server has answered it stays so (control plane contract, "initialization completed"). */
    private static boolean initialized(ControlPlaneObservation observation, boolean serves) {
        boolean untouched =
                observation.paused() || observation.controlPlane().getMetadata().getDeletionTimestamp() != null;
        return serves || (untouched ? observation.wasInitialized() : observation.initialized());
    }

    private static String selector(ControlPlaneObservation observation) {
        return observation.identity().selector().entrySet().stream()
                .map(Map.Entry::toString)
                .collect(Collectors.joining(","));
    }

    private static void active(Conditions conditions) {
        conditions.isFalse(PAUSED, NOT_PAUSED, "");
        conditions.isFalse(DELETING, NOT_DELETING, "");
    }

    private static void summary(Conditions conditions) {
        List<Condition> failing = HEALTH.stream()
                .map(conditions::get)
                .flatMap(Optional::stream)
                .filter(condition -> !condition.status().equals(Condition.TRUE))
                .toList();
        if (failing.isEmpty()) {
            conditions.isTrue(READY, READY, "");
            return;
        }
        String message = failing.stream()
                .map(condition -> "* " + condition.type() + ": "
                        + (condition.message().isEmpty() ? condition.reason() : condition.message()))
                .collect(Collectors.joining("\n"));
        conditions.isFalse(READY, failing.getFirst().reason(), message);
    }

    /** Whether the installation's condition has that reason. */
    static boolean hasReported(ControlPlaneObservation observation, String reason) {
        return Stream.ofNullable(before(observation).conditions())
                .flatMap(List::stream)
                .anyMatch(condition -> condition.type().equals(INSTALL_SUCCEEDING)
                        && condition.reason().equals(reason));
    }

    private static void keepOthers(Conditions conditions, ControlPlaneObservation observation) {
        Stream.ofNullable(before(observation).conditions())
                .flatMap(List::stream)
                .forEach(condition -> conditions.keep(condition.type()));
    }

    private Conditions conditions(ControlPlaneObservation observation) {
        return Conditions.after(
                before(observation).conditions(),
                observation.controlPlane().getMetadata().getGeneration(),
                clock);
    }

    private static OpenshiftAssistedControlPlaneStatus before(ControlPlaneObservation observation) {
        OpenshiftAssistedControlPlaneStatus status = observation.controlPlane().getStatus();
        return status == null ? NOTHING : status;
    }
}
