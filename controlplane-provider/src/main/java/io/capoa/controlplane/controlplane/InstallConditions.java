package io.capoa.controlplane.controlplane;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.install.InstallState;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.status.Conditions;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Conditions that say how far the installation is. They tell stages, not percentages: assisted-service reports several
 * times a second while hosts install, and each new message would be a write.
 */
final class InstallConditions {

    private InstallConditions() {}

    static void set(Conditions conditions, Progress progress, boolean initialized) {
        release(conditions, progress.release());
        InstallState state = progress.observation().installState();
        installation(conditions, progress, state);
        kubeconfig(conditions, progress);
        if (initialized) {
            conditions.isTrue(INITIALIZED, INITIALIZED, "");
        } else {
            conditions.isFalse(INITIALIZED, NOT_INITIALIZED, "");
        }
        available(conditions, progress, state);
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
            case ReleaseState.Unavailable unavailable ->
                unresolved(conditions, unavailable.reason(), unavailable.message());
            case ReleaseState.NoCredentials credentials ->
                unresolved(conditions, credentials.reason(), credentials.message());
        }
    }

    private static void unresolved(Conditions conditions, String reason, String message) {
        conditions.isFalse(RELEASE_RESOLVED, reason, message);
        conditions.isFalse(
                KUBERNETES_VERSION_AVAILABLE,
                KUBERNETES_VERSION_UNAVAILABLE,
                "failed to get k8s version from release image: " + message);
    }

    private static void installation(Conditions conditions, Progress progress, InstallState state) {
        Rejection rejection = Rejection.of(progress.observation()).orElse(null);
        String heldBack = heldBack(progress, state);
        if (progress.install() instanceof InstallStep.Outcome.Refused refused) {
            conditions.isFalse(INSTALL_SUCCEEDING, refused.reason(), refused.message());
        } else if (progress.install() instanceof InstallStep.Outcome.Withheld withheld) {
            conditions.isFalse(INSTALL_SUCCEEDING, withheld.reason(), withheld.message());
        } else if (progress.observation().installed()) {
            conditions.isTrue(INSTALL_SUCCEEDING, INSTALL_COMPLETED, "");
        } else if (progress.install() instanceof InstallStep.Outcome.Waiting waiting) {
            conditions.isFalse(INSTALL_SUCCEEDING, waiting.reason(), waiting.message());
        } else if (state.failed()) {
            conditions.isFalse(INSTALL_SUCCEEDING, INSTALL_FAILED, InstallFailure.message(progress.observation()));
        } else if (rejection != null) {
            conditions.isFalse(INSTALL_SUCCEEDING, rejection.reason(), rejection.message());
        } else if (state.started()) {
            conditions.isTrue(INSTALL_SUCCEEDING, INSTALLING, heldBack);
        } else if (onHold(progress.observation())) {
            conditions.isTrue(
                    INSTALL_SUCCEEDING,
                    INSTALLATION_ON_HOLD,
                    "spec.config.holdInstallation is true: the installation waits until it is false");
        } else {
            List<FailedValidation> checks = progress.checks().lasting();
            if (checks.isEmpty()) {
                conditions.isTrue(INSTALL_SUCCEEDING, WAITING_FOR_HOSTS, ReportedHosts.message(progress.observation()));
            } else {
                conditions.isFalse(
                        INSTALL_SUCCEEDING,
                        CLUSTER_VALIDATION_FAILED,
                        checks.stream().map(check -> "* " + check).collect(Collectors.joining("\n")));
            }
        }
    }

    private static boolean onHold(ControlPlaneObservation observation) {
        ClusterConfig config = observation.controlPlane().getSpec().config();
        return config != null && Boolean.TRUE.equals(config.holdInstallation());
    }

    private static String heldBack(Progress progress, InstallState state) {
        List<String> fields =
                progress.install() instanceof InstallStep.Outcome.Applied applied ? applied.heldBack() : List.of();
        return fields.isEmpty() || state.completed()
                ? ""
                : "the installation goes on without changes that were made after its start: "
                        + String.join(", ", fields);
    }

    private static void kubeconfig(Conditions conditions, Progress progress) {
        switch (progress.kubeconfig()) {
            case KubeconfigStep.Outcome.Available ignored ->
                conditions.isTrue(KUBECONFIG_AVAILABLE, KUBECONFIG_AVAILABLE, "");
            case KubeconfigStep.Outcome.UserProvided user ->
                conditions.isTrue(
                        KUBECONFIG_AVAILABLE,
                        KUBECONFIG_USER_PROVIDED,
                        "Secret %s was not made by this provider and is left as it is".formatted(user.secret()));
            case KubeconfigStep.Outcome.NotYet ignored ->
                conditions.isFalse(KUBECONFIG_AVAILABLE, KUBECONFIG_UNAVAILABLE, "Kubeconfig not available");
            case KubeconfigStep.Outcome.SourceMissing missing ->
                conditions.isFalse(KUBECONFIG_AVAILABLE, KUBECONFIG_UNAVAILABLE, missing.message());
            case KubeconfigStep.Outcome.SourceUnusable unusable ->
                conditions.isFalse(KUBECONFIG_AVAILABLE, KUBECONFIG_UNAVAILABLE, unusable.message());
        }
    }

    private static void available(Conditions conditions, Progress progress, InstallState state) {
        if (progress.observation().installFailed()) {
            conditions.isFalse(AVAILABLE, INSTALL_FAILED, InstallFailure.words(progress.observation()));
        } else if (progress.serves()) {
            conditions.isTrue(AVAILABLE, AVAILABLE, "");
        } else {
            Rejection rejection = state.started()
                    ? null
                    : Rejection.of(progress.observation()).orElse(null);
            if (rejection != null) {
                conditions.isFalse(AVAILABLE, rejection.reason(), rejection.message());
            } else {
                conditions.isFalse(AVAILABLE, CONTROL_PLANE_INSTALLING, stage(progress.observation(), state));
            }
        }
    }

    private static String stage(ControlPlaneObservation observation, InstallState state) {
        if (state.apiServes()) {
            return "the control plane is installed; its kubeconfig is missing";
        }
        return state.started()
                ? "the control plane is being installed"
                : "the installation has not begun: " + ReportedHosts.message(observation);
    }
}
