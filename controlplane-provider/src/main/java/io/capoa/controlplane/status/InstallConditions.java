package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.plan.PlanVerdict;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.Conditions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Conditions of the installation. They report stages, not percentages: assisted-service reports several times per
 * second while hosts install, and each new message would be a write.
 */
final class InstallConditions {

    /** Reasons of condition InstallSucceeding that Available has too. */
    private static final Set<String> BEFORE_THE_START =
            Set.of(WAITING_FOR_HOSTS, HOSTS_NOT_READY, INSTALLATION_ON_HOLD);

    private static final String ON_HOLD =
            "spec.config.holdInstallation is true: set it to false to start the installation";

    private InstallConditions() {}

    static void set(Conditions conditions, StepResults results, boolean initialized) {
        release(conditions, results.release());
        InstallState state = results.observation().installState();
        installation(conditions, results, state);
        kubeconfig(conditions, results);
        if (initialized) {
            conditions.isTrue(INITIALIZED, INITIALIZED, "");
        } else {
            conditions.isFalse(INITIALIZED, NOT_INITIALIZED, "");
        }
        available(conditions, results, state);
    }

    private static void release(Conditions conditions, ReleaseState release) {
        switch (release) {
            case ReleaseState.Resolved ignored -> {
                conditions.isTrue(RELEASE_RESOLVED, RELEASE_RESOLVED, "");
                conditions.isTrue(KUBERNETES_VERSION_AVAILABLE, KUBERNETES_VERSION_AVAILABLE, "");
            }
            case ReleaseState.Mismatch mismatch -> {
                conditions.isFalse(RELEASE_RESOLVED, VERSION_MISMATCH, mismatch.message());
                conditions.isTrue(KUBERNETES_VERSION_AVAILABLE, KUBERNETES_VERSION_AVAILABLE, "");
            }
            case ReleaseState.Resolving resolving -> {
                conditions.isUnknown(
                        RELEASE_RESOLVED,
                        RESOLVING_RELEASE,
                        "asking the registry for " + resolving.request().image());
                conditions.isUnknown(KUBERNETES_VERSION_AVAILABLE, RESOLVING_RELEASE, "");
            }
            case ReleaseState.Unavailable unavailable -> unresolved(conditions, unavailable.blocker());
            case ReleaseState.NoCredentials credentials -> unresolved(conditions, credentials.blocker());
        }
    }

    private static void unresolved(Conditions conditions, Blocker blocker) {
        conditions.isFalse(RELEASE_RESOLVED, blocker);
        conditions.isFalse(
                KUBERNETES_VERSION_AVAILABLE,
                KUBERNETES_VERSION_UNAVAILABLE,
                "failed to get k8s version from release image: " + blocker.message());
    }

    private static void installation(Conditions conditions, StepResults results, InstallState state) {
        Blocker rejection = Rejection.of(results.observation()).orElse(null);
        String heldBack = heldBack(results, state);
        if (results.install() instanceof InstallStep.Progress.Refused refused) {
            conditions.isFalse(INSTALL_SUCCEEDING, refused.blocker());
        } else if (results.install() instanceof InstallStep.Progress.Withheld withheld) {
            conditions.isFalse(INSTALL_SUCCEEDING, withheld.blocker());
        } else if (results.observation().installed()) {
            conditions.isTrue(INSTALL_SUCCEEDING, INSTALL_COMPLETED, "");
        } else if (results.install() instanceof InstallStep.Progress.Deleting waiting) {
            conditions.isFalse(INSTALL_SUCCEEDING, waiting.blocker());
        } else if (state.failed()) {
            conditions.isFalse(INSTALL_SUCCEEDING, INSTALL_FAILED, InstallFailure.message(results.observation()));
        } else if (rejection != null) {
            conditions.isFalse(INSTALL_SUCCEEDING, rejection);
        } else if (state.started()) {
            conditions.isTrue(INSTALL_SUCCEEDING, INSTALLING, heldBack);
        } else if (onHold(results.observation())) {
            conditions.isFalse(INSTALL_SUCCEEDING, INSTALLATION_ON_HOLD, ON_HOLD);
        } else {
            waiting(conditions, results);
        }
    }

    private static void waiting(Conditions conditions, StepResults results) {
        List<FailedValidation> checks = results.checks().lasting();
        String hosts = ReportedHosts.message(results.observation());
        if (!checks.isEmpty()) {
            conditions.isFalse(
                    INSTALL_SUCCEEDING,
                    CLUSTER_VALIDATION_FAILED,
                    checks.stream().map(check -> "* " + check).collect(Collectors.joining("\n")));
        } else if (results.observation().configs().stream().anyMatch(BlockedHosts::isBlocked)) {
            conditions.isFalse(INSTALL_SUCCEEDING, HOSTS_NOT_READY, hosts);
        } else {
            conditions.isTrue(INSTALL_SUCCEEDING, WAITING_FOR_HOSTS, hosts);
        }
    }

    private static boolean onHold(ControlPlaneObservation observation) {
        ClusterConfig config = observation.controlPlane().getSpec().config();
        return config != null && Boolean.TRUE.equals(config.holdInstallation());
    }

    private static String heldBack(StepResults results, InstallState state) {
        List<String> fields =
                results.install() instanceof InstallStep.Progress.Applied applied ? applied.heldBack() : List.of();
        return fields.isEmpty() || state.completed()
                ? ""
                : "the installation has started without these changes, which come too late: "
                        + String.join(", ", fields);
    }

    private static void kubeconfig(Conditions conditions, StepResults results) {
        switch (results.kubeconfig()) {
            case KubeconfigStep.Access.Available ignored ->
                conditions.isTrue(KUBECONFIG_AVAILABLE, KUBECONFIG_AVAILABLE, "");
            case KubeconfigStep.Access.UserProvided user ->
                conditions.isTrue(
                        KUBECONFIG_AVAILABLE,
                        KUBECONFIG_USER_PROVIDED,
                        user.source() == null
                                ? "Secret %s was not created by this provider and is used as it is"
                                        .formatted(user.secret())
                                : "Secret %s holds another kubeconfig than Secret %s, of which it was a copy, and is used as it is: delete it to have it copied again"
                                        .formatted(user.secret(), user.source()));
            case KubeconfigStep.Access.NotYet ignored ->
                conditions.isFalse(KUBECONFIG_AVAILABLE, KUBECONFIG_UNAVAILABLE, "Kubeconfig not available");
            case KubeconfigStep.Access.SourceMissing missing ->
                conditions.isFalse(KUBECONFIG_AVAILABLE, KUBECONFIG_UNAVAILABLE, missing.message());
            case KubeconfigStep.Access.SourceUnusable unusable ->
                conditions.isFalse(KUBECONFIG_AVAILABLE, KUBECONFIG_UNAVAILABLE, unusable.message());
        }
    }

    private static void available(Conditions conditions, StepResults results, InstallState state) {
        PlanVerdict plan = results.plan().verdict();
        if (results.observation().installFailed()) {
            conditions.isFalse(AVAILABLE, INSTALL_FAILED, InstallFailure.message(results.observation()));
        } else if (results.serves()) {
            conditions.isTrue(AVAILABLE, AVAILABLE, "");
        } else if (plan != null && plan.blocks()) {
            conditions.isFalse(AVAILABLE, plan.reason(), plan.message());
        } else {
            Blocker rejection =
                    state.started() ? null : Rejection.of(results.observation()).orElse(null);
            if (rejection != null) {
                conditions.isFalse(AVAILABLE, rejection);
            } else {
                conditions.isFalse(AVAILABLE, reason(conditions), stage(results.observation(), state));
            }
        }
    }

    /** Before the start what is waited for, as in the condition of the installation. */
    private static String reason(Conditions conditions) {
        return conditions
                .get(INSTALL_SUCCEEDING)
                .map(Condition::reason)
                .filter(BEFORE_THE_START::contains)
                .orElse(CONTROL_PLANE_INSTALLING);
    }

    private static String stage(ControlPlaneObservation observation, InstallState state) {
        if (state.apiServes()) {
            return "the control plane is installed; its kubeconfig is missing";
        }
        if (state.started()) {
            return "the control plane is being installed: kubectl get oac -n %s shows stage and percentage of each host"
                    .formatted(observation.controlPlane().getMetadata().getNamespace());
        }
        return "the installation has not started: "
                + (onHold(observation) ? ON_HOLD : ReportedHosts.message(observation));
    }
}
