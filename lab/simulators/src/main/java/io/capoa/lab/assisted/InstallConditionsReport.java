package io.capoa.lab.assisted;

import static io.capoa.lab.assisted.ServiceCondition.no;
import static io.capoa.lab.assisted.ServiceCondition.unknown;
import static io.capoa.lab.assisted.ServiceCondition.yes;

import java.util.ArrayList;
import java.util.List;

/** The conditions of an AgentClusterInstall, in the order in which the service writes them. */
final class InstallConditionsReport {

    private static final String COMPLETED = "InstallationCompleted";
    private static final String FAILED = "InstallationFailed";

    private InstallConditionsReport() {}

    static List<ServiceCondition> of(SpecSync sync, ClusterState state, InstallInputs inputs) {
        return List.of(
                synced(sync),
                requirementsMet(state, inputs),
                validated(state, inputs),
                completed(state, inputs),
                state == ClusterState.ERROR
                        ? yes("Failed", FAILED, "The installation failed: " + state.info())
                        : no("Failed", "InstallationNotFailed", "The installation has not failed"),
                stopped(state),
                state.isStarted()
                        ? no("LastInstallationPreparationFailed", "There is no failing prior preparation attempt", "")
                        : no(
                                "LastInstallationPreparationFailed",
                                "Cluster preparation has never been performed for this cluster",
                                ""));
    }

    /** The conditions of a cluster whose spec has never been accepted. */
    static List<ServiceCondition> withoutCluster(SpecSync sync) {
        List<ServiceCondition> conditions = new ArrayList<>(List.of(synced(sync)));
        for (String type : List.of(
                "RequirementsMet",
                "Validated",
                "Completed",
                "Failed",
                "Stopped",
                "LastInstallationPreparationFailed")) {
            conditions.add(unknown(type, "NotAvailable", "The cluster is not available"));
        }
        return conditions;
    }

    private static ServiceCondition synced(SpecSync sync) {
        return sync.isOk()
                ? yes("SpecSynced", sync.reason(), sync.message())
                : no("SpecSynced", sync.reason(), sync.message());
    }

    private static ServiceCondition requirementsMet(ClusterState state, InstallInputs inputs) {
        String type = "RequirementsMet";
        int total = inputs.requirements().total();
        return switch (state) {
            case INSUFFICIENT, PENDING_FOR_INPUT ->
                no(type, "ClusterNotReady", "The cluster is not ready to begin the installation");
            case READY -> {
                if (!inputs.isExact()) {
                    yield no(type, "InsufficientAgents", insufficient(inputs));
                }
                if (inputs.approved() < total) {
                    yield no(
                            type,
                            "UnapprovedAgents",
                            "The installation is pending on the approval of %d agents"
                                    .formatted(total - inputs.approved()));
                }
                if (inputs.unsynced() > 0) {
                    yield no(
                            type,
                            "UnsyncedAgents",
                            "The cluster currently has %d agents with spec error".formatted(inputs.unsynced()));
                }
                yield yes(type, "ClusterIsReady", "The cluster is ready to begin the installation");
            }
            case PREPARING, INSTALLING, FINALIZING, ADDING_HOSTS ->
                yes(type, "ClusterAlreadyInstalling", "The cluster requirements are met");
            case ERROR -> yes(type, "ClusterInstallationStopped", "The cluster installation stopped");
        };
    }

    private static String insufficient(InstallInputs inputs) {
        String counts = "%d master agents, %d arbiter agents and %d worker agents";
        return "The cluster currently requires exactly "
                + counts.formatted(
                        inputs.requirements().controlPlanes(),
                        inputs.requirements().arbiters(),
                        inputs.requirements().workers())
                + ", but currently registered "
                + counts.formatted(inputs.masters(), inputs.arbiters(), inputs.workers());
    }

    private static ServiceCondition validated(ClusterState state, InstallInputs inputs) {
        String type = "Validated";
        return switch (state) {
            case INSUFFICIENT ->
                no(
                        type,
                        "ValidationsFailing",
                        "The cluster's validations are failing: "
                                + String.join(",", inputs.checks().failing(inputs)));
            case PENDING_FOR_INPUT ->
                no(
                        type,
                        "ValidationsUserPending",
                        "The cluster's validations are pending for user: "
                                + String.join(",", inputs.checks().pending(inputs)));
            default -> yes(type, "ValidationsPassing", "The cluster's validations are passing");
        };
    }

    private static ServiceCondition completed(ClusterState state, InstallInputs inputs) {
        String type = "Completed";
        return switch (state) {
            case INSUFFICIENT, PENDING_FOR_INPUT, READY ->
                state == ClusterState.READY && inputs.onHold()
                        ? no(
                                type,
                                "InstallationOnHold",
                                "The installation is on hold, to unhold set holdInstallation to false")
                        : no(type, "InstallationNotStarted", "The installation has not yet started");
            case PREPARING, INSTALLING, FINALIZING ->
                no(type, "InstallationInProgress", "The installation is in progress: " + state.info());
            case ADDING_HOSTS -> yes(type, COMPLETED, "The installation has completed: " + state.info());
            case ERROR -> no(type, FAILED, "The installation has failed: " + state.info());
        };
    }

    private static ServiceCondition stopped(ClusterState state) {
        return switch (state) {
            case ADDING_HOSTS ->
                yes("Stopped", COMPLETED, "The installation has stopped because it completed successfully");
            case ERROR -> yes("Stopped", FAILED, "The installation has stopped due to error");
            default -> no("Stopped", "InstallationNotStopped", "The installation is waiting to start or in progress");
        };
    }
}
