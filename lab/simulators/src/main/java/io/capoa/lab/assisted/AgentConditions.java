package io.capoa.lab.assisted;

import static io.capoa.lab.assisted.ServiceCondition.no;
import static io.capoa.lab.assisted.ServiceCondition.unknown;
import static io.capoa.lab.assisted.ServiceCondition.yes;

import java.util.List;

/** The conditions of an Agent, in the order in which the service writes them. */
final class AgentConditions {

    private AgentConditions() {}

    /** The conditions of a host's Agent. */
    static List<ServiceCondition> of(HostRecord host) {
        SpecSync sync = host.sync;
        HostState state = host.state;
        return List.of(
                sync.isOk()
                        ? yes("SpecSynced", sync.reason(), "The Spec has been successfully applied")
                        : no("SpecSynced", sync.reason(), sync.message()),
                state == HostState.DISCONNECTED
                        ? no(
                                "Connected",
                                "AgentIsDisconnected",
                                "The agent has not contacted the installation service in some time, user action should be taken")
                        : yes(
                                "Connected",
                                "AgentIsConnected",
                                "The agent's connection to the installation service is unimpaired"),
                requirementsMet(state, host.wish.approved()),
                validated(host),
                installed(state, host.failure),
                host.cluster != null
                        ? yes("Bound", "Bound", "The agent is bound to a cluster deployment")
                        : no("Bound", "Unbound", "The agent is not bound to any cluster deployment"));
    }

    private static ServiceCondition validated(HostRecord host) {
        String type = "Validated";
        return switch (host.state) {
            case DISCOVERING ->
                unknown(type, "ValidationsUnknown", "The agent's validations have not yet been calculated");
            case INSUFFICIENT, DISCONNECTED ->
                no(
                        type,
                        "ValidationsFailing",
                        "The agent's validations are failing: " + HostValidations.failures(host.validations));
            default -> yes(type, "ValidationsPassing", "The agent's validations are passing");
        };
    }

    private static ServiceCondition requirementsMet(HostState state, boolean approved) {
        String type = "RequirementsMet";
        return switch (state) {
            case DISCOVERING, INSUFFICIENT, DISCONNECTED ->
                no(type, "AgentNotReady", "The agent is not ready to begin the installation");
            case KNOWN ->
                approved
                        ? yes(type, "AgentIsReady", "The agent is ready to begin the installation")
                        : no(type, "AgentIsNotApproved", "The agent is not approved");
            case PREPARING, PREPARED, INSTALLING, IN_PROGRESS ->
                yes(type, "AgentAlreadyInstalling", "Installation already started and is in progress");
            case INSTALLED, ADDED, ERROR -> yes(type, "AgentInstallationStopped", "The agent installation stopped");
        };
    }

    private static ServiceCondition installed(HostState state, String info) {
        String type = "Installed";
        return switch (state) {
            case DISCOVERING, INSUFFICIENT, DISCONNECTED, KNOWN ->
                no(type, "InstallationNotStarted", "The installation has not yet started");
            case PREPARING, PREPARED, INSTALLING, IN_PROGRESS ->
                no(type, "InstallationInProgress", "The installation is in progress: " + state.info());
            case INSTALLED, ADDED ->
                yes(type, "InstallationCompleted", "The installation has completed: " + state.info());
            case ERROR -> no(type, "InstallationFailed", "The installation has failed: " + info);
        };
    }
}
