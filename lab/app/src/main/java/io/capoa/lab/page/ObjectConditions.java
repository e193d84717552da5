package io.capoa.lab.page;

import static io.capoa.lab.page.PageState.Group.PROGRESS;
import static io.capoa.lab.page.PageState.Group.READY;
import static io.capoa.lab.page.PageState.Group.TROUBLE;

import io.capoa.api.conditions.ConditionedStatus;
import io.capoa.api.conditions.PlannedFinding;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.page.Detail.ConditionLine;
import io.capoa.lab.page.PageState.Group;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What the conditions and states of one object say: trouble, progress, or that it is as it should be. */
final class ObjectConditions {

    /** Types that say that something goes on: neither status is bad. */
    private static final Set<String> ACTIVITIES = Set.of(
            "Paused",
            "Deleting",
            "RollingOut",
            "ScalingUp",
            "ScalingDown",
            "Remediating",
            "Updating",
            "HostPoweredOff",
            "OwnerRemediated",
            "WorkersFollowInPlace",
            "ConversionIncomplete",
            "Stopped");

    /** Reasons of what takes its time, or is wrong elsewhere; those that begin with {@code Waiting} are too. */
    private static final Set<String> PATIENCE = Set.of(
            "CheckingManifests",
            "ClusterInstallationFailed",
            "CloudControllerManagerUnknown",
            "ControlPlaneInstalling",
            "CreatingMachines",
            "Deleting",
            "DownloadingIgnition",
            "HealthUnknown",
            "HostPowerNotManaged",
            "InfraEnvNotReady",
            "InstallCompleted",
            "InstallationOnHold",
            "Installing",
            "KubeconfigUnavailable",
            "KubernetesVersionUnavailable",
            "MachineDeleting",
            "MachinesNotReady",
            "MachinesNotUpToDate",
            "NoReplicas",
            "PoweringOffHost",
            "RemediationDeferred",
            "ResolvingRelease",
            "RetryingInstall",
            "UpdatingWorkers",
            "UpgradeInProgress",
            "UpgradeToOtherRelease",
            "UpgradeWaitingForControlPlane",
            "UpgradeWaitingForVersion");

    private ObjectConditions() {}

    /** The condition, or state, that says best what is wrong, or else what is waited for; none if all is well. */
    static Optional<ConditionLine> worst(HasMetadata object) {
        List<ConditionLine> lines = of(object).toList();
        // Ready repeats another condition, so that it comes last.
        return Stream.of(TROUBLE, PROGRESS)
                .flatMap(group -> Stream.concat(
                                lines.stream().filter(line -> !line.type().equals("Ready")),
                                lines.stream().filter(line -> line.type().equals("Ready")))
                        .filter(line -> line.group() == group && !ACTIVITIES.contains(line.type())))
                .findFirst();
    }

    /** When a condition became True; empty unless it is. */
    static Optional<String> trueSince(HasMetadata object, String type) {
        return since(object, type, "True");
    }

    /** When a condition got that status; empty unless it has it. */
    static Optional<String> since(HasMetadata object, String type, String status) {
        return of(object)
                .filter(condition -> condition.type().equals(type)
                        && condition.status().equals(status)
                        && !condition.since().isEmpty())
                .map(ConditionLine::since)
                .findFirst();
    }

    /** The findings in the condition of a control plane that is planned. */
    static Stream<PlannedFinding> findings(HasMetadata object) {
        return object instanceof OpenshiftAssistedControlPlane
                ? of(object)
                        .filter(condition -> condition.type().equals(ControlPlaneConditions.INSTALLATION_PLANNED))
                        .flatMap(condition -> PlannedFinding.in(condition.message()).stream())
                : Stream.empty();
    }

    /** What its own fields say, as a condition would, and its conditions. */
    static Stream<ConditionLine> of(HasMetadata object) {
        if (object instanceof GenericKubernetesResource generic) {
            return Stream.concat(
                    state(generic).stream(),
                    Fields.list(generic, "status", "conditions").stream()
                            .filter(Map.class::isInstance)
                            .map(condition -> line(
                                    object,
                                    Fields.text(condition, "type"),
                                    Fields.text(condition, "status"),
                                    Fields.text(condition, "reason"),
                                    Fields.text(condition, "message"),
                                    Fields.text(condition, "lastTransitionTime"))));
        }
        return object instanceof CustomResource<?, ?> custom
                        && custom.getStatus() instanceof ConditionedStatus status
                        && status.conditions() != null
                ? status.conditions().stream()
                        .map(condition -> line(
                                object,
                                condition.type(),
                                condition.status(),
                                condition.reason(),
                                condition.message(),
                                condition.lastTransitionTime()))
                : Stream.empty();
    }

    /** Trouble that an object has in a field of its status instead of a condition. */
    private static Optional<ConditionLine> state(GenericKubernetesResource object) {
        return switch (object) {
            case BareMetalHost host -> {
                String message = Fields.string(host, "status", "errorMessage");
                String type = Fields.text(host.getAdditionalProperties(), "status", "errorType");
                yield message == null ? Optional.empty() : trouble("errorType", type, message);
            }
            case Machine machine ->
                "Failed".equals(Fields.string(machine, "status", "phase"))
                        ? trouble("phase", "Failed", "the Machine has failed")
                        : Optional.empty();
            case Agent agent -> failed(agent);
            case AgentClusterInstall install -> failed(install);
            default -> Optional.empty();
        };
    }

    private static Optional<ConditionLine> failed(GenericKubernetesResource object) {
        Object status = object.getAdditionalProperties();
        String state = Fields.text(status, "status", "debugInfo", "state");
        return state.equals("error") || state.equals("cancelled")
                ? trouble("state", state, Fields.text(status, "status", "debugInfo", "stateInfo"))
                : Optional.empty();
    }

    private static Optional<ConditionLine> trouble(String type, String reason, String message) {
        return Optional.of(new ConditionLine(type, "False", reason, Redacted.text(message), "", TROUBLE));
    }

    private static ConditionLine line(
            HasMetadata object, String type, String status, String reason, String message, String since) {
        return new ConditionLine(
                type,
                status,
                reason,
                Redacted.text(message),
                since == null ? "" : since,
                group(object, type, status, reason));
    }

    private static Group group(HasMetadata object, String type, String status, String reason) {
        boolean good = status.equals("True") != type.equals("Failed");
        if (ACTIVITIES.contains(type)) {
            return status.equals("True") ? PROGRESS : READY;
        }
        if (good) {
            return READY;
        }
        return switch (object) {
            // Their conditions of hosts that boot look like those of hosts that fail; the configs tell them apart.
            case Agent ignored -> PROGRESS;
            case AgentClusterInstall ignored -> type.equals("Failed") && status.equals("True") ? TROUBLE : PROGRESS;
            case Machine machine -> isLost(machine, type) ? TROUBLE : PROGRESS;
            case Cluster ignored -> PROGRESS;
            case MachineDeployment ignored -> PROGRESS;
            default -> isPatience(type, reason) ? PROGRESS : TROUBLE;
        };
    }

    /** A Node that has been there, or a health check. */
    private static boolean isLost(Machine machine, String type) {
        return type.equals("HealthCheckSucceeded")
                || (type.equals("NodeReady") && "Running".equals(Fields.string(machine, "status", "phase")));
    }

    static boolean isPatience(String type, String reason) {
        return reason.startsWith("Waiting")
                || (reason.equals("Not" + type) && !type.endsWith("Healthy"))
                || PATIENCE.contains(reason);
    }
}
