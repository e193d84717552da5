package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.Initialization;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.LastRemediation;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.RemediationRecord;
import io.capoa.controlplane.plan.PlanVerdict;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.Conditions;
import io.capoa.runtime.status.ReportedConditions;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes the status of a control plane from the observation and the outcomes of the steps. */
public final class StatusReport {

    /** The conditions that Ready summarizes, in the order in which they become True. Causes come before their consequences: there is no kubeconfig before the installation. */
    private static final List<String> HEALTH =
            List.of(MACHINES_CREATED, INSTALL_SUCCEEDING, AVAILABLE, KUBECONFIG_AVAILABLE, MACHINES_READY);

    private final Clock clock;

    public StatusReport(Clock clock) {
        this.clock = clock;
    }

    /** Status of a paused control plane: only the pause is new. */
    public OpenshiftAssistedControlPlaneStatus paused(ControlPlaneObservation observation) {
        Conditions conditions = conditions(observation);
        String by = ClusterView.of(observation.cluster()).isPaused()
                ? "Cluster spec.paused is set to true"
                : "annotation " + Annotations.PAUSED + " is set";
        conditions.isTrue(PAUSED, PAUSED, by);
        keepOthers(conditions, observation);
        return unchanged(observation, conditions);
    }

    /** Status while a prerequisite is missing. */
    public OpenshiftAssistedControlPlaneStatus waiting(ControlPlaneObservation observation, Blocker blocker) {
        Conditions conditions = conditions(observation);
        active(conditions);
        if (observation.machines().size() < observation.desiredReplicas()) {
            conditions.isFalse(MACHINES_CREATED, blocker);
        }
        boolean initialized = initialized(observation, false);
        if (!initialized) {
            conditions.isFalse(AVAILABLE, blocker);
            conditions.isFalse(INITIALIZED, NOT_INITIALIZED, "");
        }
        conditions.isFalse(READY, blocker);
        keepOthers(conditions, observation);
        return unchanged(observation, conditions);
    }

    /** Status before an input is checked: only that is new. */
    public OpenshiftAssistedControlPlaneStatus checking(ControlPlaneObservation observation, Blocker blocker) {
        Conditions conditions = conditions(observation);
        conditions.isUnknown(INSTALL_SUCCEEDING, blocker.reason(), blocker.message());
        keepOthers(conditions, observation);
        return unchanged(observation, conditions);
    }

    /** Status while the API server does not serve required kinds: only that is new. */
    public OpenshiftAssistedControlPlaneStatus blind(OpenshiftAssistedControlPlane controlPlane, List<String> absent) {
        return failed(controlPlane, new Blocker(KIND_NOT_INSTALLED, "Waiting: " + String.join("; ", absent)));
    }

    /** Status after a failed reconcile, or while caches are unknown: only the failure is new. */
    public OpenshiftAssistedControlPlaneStatus failed(OpenshiftAssistedControlPlane controlPlane, Blocker blocker) {
        OpenshiftAssistedControlPlaneStatus before =
                Optional.ofNullable(controlPlane.getStatus()).orElse(OpenshiftAssistedControlPlaneStatus.EMPTY);
        Conditions conditions = Conditions.of(controlPlane, before.conditions(), clock);
        if (before.initialization() == null) {
            conditions.isFalse(AVAILABLE, blocker);
        }
        if (controlPlane.isMarkedForDeletion()) {
            conditions.isTrue(DELETING, blocker.reason(), blocker.message());
        }
        conditions.isFalse(READY, blocker);
        Stream.ofNullable(before.conditions()).flatMap(List::stream).forEach(known -> conditions.keep(known.type()));
        return before.with(
                before.readyReplicas(),
                before.availableReplicas(),
                controlPlane.getMetadata().getGeneration(),
                conditions.toList());
    }

    /** Status after all steps have run. */
    public OpenshiftAssistedControlPlaneStatus of(StepResults results) {
        ControlPlaneObservation observation = results.observation();
        Conditions conditions = conditions(observation);
        active(conditions);
        boolean initialized = initialized(observation, results.serves());
        planned(conditions, results);
        MachineCounts counts = MachineCounts.of(observation, clock.instant());
        MachineConditions.set(conditions, results, counts);
        InstallConditions.set(conditions, results, initialized);
        HealthConditions.set(conditions, results);
        VersionConditions.set(conditions, results);
        CloudConditions.set(conditions, results);
        summary(conditions);
        return status(observation, conditions, counts, results);
    }

    /** Status while the deletion waits. */
    public OpenshiftAssistedControlPlaneStatus deleting(ControlPlaneObservation observation, Blocker blocker) {
        Conditions conditions = conditions(observation);
        conditions.isTrue(DELETING, blocker.reason(), blocker.message());
        conditions.isFalse(PAUSED, NOT_PAUSED, "");
        keepOthers(conditions, observation);
        return unchanged(observation, conditions);
    }

    /** The status with these conditions while the steps do not run: what they find out stays as it was. */
    private OpenshiftAssistedControlPlaneStatus unchanged(ControlPlaneObservation observation, Conditions conditions) {
        return status(observation, conditions, MachineCounts.of(observation, clock.instant()), null);
    }

    /**
     * The status with these conditions.
     *
     * @param results {@code null} if the steps did not run
     */
    private static OpenshiftAssistedControlPlaneStatus status(
            ControlPlaneObservation observation,
            Conditions conditions,
            MachineCounts counts,
            @Nullable StepResults results) {
        OpenshiftAssistedControlPlaneStatus before = before(observation);
        ResolvedRelease release = results == null ? null : results.release().known();
        List<StatusVersion> versions = RunningVersions.of(observation.machines(), release);
        List<StatusVersion> known = release == null && before.versions() != null ? before.versions() : versions;
        String version = known.isEmpty() ? before.version() : known.getFirst().version();
        if (version == null && release != null) {
            version = "v" + release.kubernetesVersion();
        }
        String runs = results == null ? null : results.distributionVersion();
        String distributionVersion = runs == null ? before.distributionVersion() : runs;
        return new OpenshiftAssistedControlPlaneStatus(
                initialized(observation, results != null && results.serves()) ? new Initialization(true) : null,
                selector(observation),
                counts.all(),
                counts.ready(),
                counts.available(),
                UpgradeStatus.upToDate(observation, results, counts),
                known.isEmpty() ? null : known,
                version,
                distributionVersion == null || distributionVersion.isEmpty() ? null : distributionVersion,
                results == null ? before.availableUpdates() : UpgradeStatus.availableUpdates(results, before),
                lastRemediation(observation, before),
                observation.controlPlane().getMetadata().getGeneration(),
                conditions.toList());
    }

    /** Stays true once the API server has answered (control plane contract, "initialization completed"). */
    private static boolean initialized(ControlPlaneObservation observation, boolean serves) {
        boolean untouched = observation.paused() || observation.controlPlane().isMarkedForDeletion();
        return serves || (untouched ? observation.wasInitialized() : observation.initialized());
    }

    /** The last replacement of an unhealthy Machine that the annotations know, else the one reported before. */
    private static @Nullable LastRemediation lastRemediation(
            ControlPlaneObservation observation, OpenshiftAssistedControlPlaneStatus before) {
        return RemediationRecord.last(observation.controlPlane(), observation.machines())
                .map(record -> new LastRemediation(
                        record.machine(),
                        record.timestamp().truncatedTo(ChronoUnit.SECONDS).toString(),
                        record.retryCount()))
                .orElse(before.lastRemediation());
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

    /** What was planned stays until it is outdated, unless it blocked: it no longer does where nothing is planned. */
    private static void planned(Conditions conditions, StepResults results) {
        PlanVerdict made = results.plan().verdict();
        PlanVerdict planned = made != null
                ? made
                : conditions
                        .previous(INSTALLATION_PLANNED)
                        .map(before -> new PlanVerdict(before.status(), before.reason(), before.message()))
                        .filter(before -> !before.blocks())
                        .orElse(null);
        if (planned == null) {
            return;
        }
        if (isOutdated(planned, results.observation())) {
            if (planned.status().equals(Condition.TRUE)) {
                conditions.isTrue(INSTALLATION_PLANNED, INSTALLATION_PLANNED, "");
            }
        } else if (made == null) {
            conditions.keep(INSTALLATION_PLANNED);
        } else {
            conditions.set(INSTALLATION_PLANNED, made.status(), made.reason(), made.message());
        }
    }

    /** An installation that has started has its hosts; what the user has accepted can still make it fail. */
    private static boolean isOutdated(PlanVerdict planned, ControlPlaneObservation observation) {
        return observation.installed()
                || (observation.installStarted() && !planned.reason().equals(FINDINGS_ACCEPTED));
    }

    private static void summary(Conditions conditions) {
        Optional<Condition> blocked = conditions
                .get(INSTALLATION_PLANNED)
                .filter(condition -> condition.status().equals(Condition.FALSE));
        if (blocked.isPresent()) {
            conditions.isFalse(READY, blocked.get().reason(), blocked.get().message());
            return;
        }
        List<Condition> failing = HEALTH.stream()
                .map(conditions::get)
                .flatMap(Optional::stream)
                .filter(condition -> !condition.status().equals(Condition.TRUE))
                .toList();
        if (failing.isEmpty()) {
            conditions.isTrue(READY, READY, "");
            return;
        }
        Condition first = failing.getFirst();
        // Everything else follows from it.
        conditions.isFalse(
                READY,
                first.reason(),
                first.reason().equals(INSTALL_FAILED)
                        ? first.message()
                        : failing.stream().map(StatusReport::line).collect(Collectors.joining("\n")));
    }

    private static String line(Condition condition) {
        return "* " + condition.type() + ": "
                + (condition.message().isEmpty() ? condition.reason() : condition.message());
    }

    /** Whether condition InstallSucceeding has that reason. */
    public static boolean hasReported(ControlPlaneObservation observation, String reason) {
        return ReportedConditions.in(observation.controlPlane().getStatus())
                .get(INSTALL_SUCCEEDING)
                .filter(condition -> condition.reason().equals(reason))
                .isPresent();
    }

    /**
     * Whether a control plane is reported as installed for the first time, and its health is to be known at once. What
     * other controllers wait for is reported before.
     */
    public static boolean awaitsFirstHealth(StepResults results) {
        return results.observation().installed()
                && before(results.observation()).initialization() != null
                && results.hasKubeconfig()
                && results.answers().health().seen() == null
                && Stream.ofNullable(before(results.observation()).conditions())
                        .flatMap(List::stream)
                        .anyMatch(HealthConditions::isOfInstallation);
    }

    private static void keepOthers(Conditions conditions, ControlPlaneObservation observation) {
        Stream.ofNullable(before(observation).conditions())
                .flatMap(List::stream)
                .forEach(condition -> conditions.keep(condition.type()));
    }

    private Conditions conditions(ControlPlaneObservation observation) {
        return Conditions.of(observation.controlPlane(), before(observation).conditions(), clock);
    }

    private static OpenshiftAssistedControlPlaneStatus before(ControlPlaneObservation observation) {
        OpenshiftAssistedControlPlaneStatus status = observation.controlPlane().getStatus();
        return status == null ? OpenshiftAssistedControlPlaneStatus.EMPTY : status;
    }
}
