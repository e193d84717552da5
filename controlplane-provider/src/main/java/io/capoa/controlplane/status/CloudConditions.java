package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.contract.CloudProvider;
import io.capoa.controlplane.install.Platform;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.workload.health.CloudControllerState;
import io.capoa.runtime.status.Conditions;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The condition of the user's cloud controller manager. Neither Available nor Ready waits for it. */
public final class CloudConditions {

    private CloudConditions() {}

    /** Whether the control plane's cluster is started, and is to have a cloud controller manager of the user's. */
    public static boolean apply(ControlPlaneObservation observation) {
        return Platform.hasUsersCloudControllerManager(
                        observation.controlPlane().getSpec().config())
                && (observation.installStarted() || observation.installed());
    }

    static void set(Conditions conditions, StepResults results) {
        if (apply(results.observation())) {
            set(conditions, results.answers().cloud());
        }
    }

    /**
     * The condition for a state.
     *
     * @param state {@code null} before the cluster has answered this process: then the last condition stays
     */
    static void set(Conditions conditions, @Nullable CloudControllerState state) {
        if (state == null && conditions.previous(CLOUD_CONTROLLER_MANAGER_READY).isPresent()) {
            conditions.keep(CLOUD_CONTROLLER_MANAGER_READY);
        } else if (state == null || !state.reached()) {
            String why = state == null ? "" : " (" + state.failure() + ")";
            conditions.isUnknown(
                    CLOUD_CONTROLLER_MANAGER_READY,
                    CLOUD_CONTROLLER_MANAGER_UNKNOWN,
                    "waiting for the API of the cluster" + why);
        } else if (state.isReady()) {
            conditions.isTrue(CLOUD_CONTROLLER_MANAGER_READY, CLOUD_CONTROLLER_MANAGER_READY, "");
        } else if (state.components().isEmpty()) {
            conditions.isFalse(
                    CLOUD_CONTROLLER_MANAGER_READY,
                    CLOUD_CONTROLLER_MANAGER_NOT_FOUND,
                    lines(
                            Stream.of(
                                    "the cluster has no Deployment or DaemonSet in namespace %s: a manifest of spec.config.manifestsConfigMapRefs has to create the cloud controller manager there"
                                            .formatted(CloudProvider.NAMESPACE)),
                            state));
        } else if (state.problem().isPresent()) {
            conditions.isFalse(
                    CLOUD_CONTROLLER_MANAGER_READY,
                    CLOUD_CONTROLLER_MANAGER_UNAVAILABLE,
                    lines(state.problem().stream(), state));
        } else {
            conditions.isFalse(CLOUD_CONTROLLER_MANAGER_READY, NODES_UNINITIALIZED, lines(Stream.of(), state));
        }
    }

    private static String lines(Stream<String> problems, CloudControllerState state) {
        return Stream.concat(problems, state.waitingNodes().stream()).collect(Collectors.joining("; "));
    }
}
