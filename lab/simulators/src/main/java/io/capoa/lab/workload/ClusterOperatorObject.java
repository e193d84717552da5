package io.capoa.lab.workload;

import io.capoa.lab.upgrade.Condition;
import io.capoa.lab.upgrade.OperatorFault;
import io.capoa.lab.upgrade.Operators;
import io.capoa.lab.upgrade.UpdateState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the status of ClusterOperators. */
final class ClusterOperatorObject {

    private static final String AS_EXPECTED = "AsExpected";

    private ClusterOperatorObject() {}

    /** The object of a new cluster, without status. */
    static Map<String, Object> of(String name) {
        return ReleaseStatus.object(Resource.CLUSTER_OPERATORS, name, Map.of());
    }

    /**
     * Writes the status into the object.
     *
     * @param fault of the operator
     * @param report of the operator itself; a fault and an installation prevail
     * @param notUpgradeable why the operator blocks the next minor release; empty if it does not
     */
    static Map<String, Object> write(
            Map<String, Object> object,
            UpdateState state,
            OperatorFault fault,
            OperatorReport report,
            Optional<Condition> notUpgradeable) {
        String name = ObjectStore.name(object);
        String version = state.versions().getOrDefault(name, "");
        boolean updating = state.rollout()
                .filter(rollout -> rollout.operator().equals(name))
                .isPresent();
        boolean unavailable = fault == OperatorFault.UNAVAILABLE || state.isInstalling();
        boolean progressing = state.isInstalling() || updating;
        object.put(
                "status",
                Map.of(
                        "versions",
                        List.of(Map.of("name", "operator", "version", version)),
                        "conditions",
                        StatusConditions.of(
                                List.of(
                                        unavailable
                                                ? condition("Available", false, name + " is not available")
                                                : report.available(),
                                        progressing
                                                ? condition(
                                                        "Progressing",
                                                        true,
                                                        "Working towards "
                                                                + state.desired()
                                                                        .version())
                                                : report.progressing(),
                                        fault == OperatorFault.DEGRADED ? degraded(name) : report.degraded(),
                                        notUpgradeable.orElseGet(() -> condition("Upgradeable", true, ""))),
                                object)));
        return Json.copy(object);
    }

    private static Condition degraded(String name) {
        return Condition.yes(
                "Degraded",
                name.equals(Operators.MACHINE_CONFIG) ? "RequiredPoolsFailed" : "OperatorFailed",
                name + " is degraded");
    }

    private static Condition condition(String type, boolean status, String message) {
        return new Condition(type, status ? "True" : "False", AS_EXPECTED, message);
    }
}
