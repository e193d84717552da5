package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.OperatorFault;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Failures of upgrades that annotations of the cluster's own objects ask for. */
final class UpgradeFaults {

    /** ClusterVersion: versions without signature, separated by commas. */
    static final String UNSIGNED = "lab.capoa.io/unsigned";

    /** ClusterVersion: {@code unreachable} disconnects the cluster from the update service. */
    static final String UPSTREAM = "lab.capoa.io/upstream";

    /** ClusterVersion: updates with a risk, such as {@code 4.20.5=SlowBoot}, separated by commas. */
    static final String RISKS = "lab.capoa.io/risks";

    /** ClusterVersion: {@code off} keeps the API available while masters reboot. */
    static final String BLIPS = "lab.capoa.io/blips";

    /**
     * ClusterOperator: {@code Degraded}, {@code Available} or {@code Upgradeable} fails that condition. MachineConfigPool:
     * the text with which updates of nodes fail.
     */
    static final String FAIL = "lab.capoa.io/fail";

    /**
     * ClusterVersion: no payload is retrieved. ClusterOperator: it does not reach the new version. MachineConfigPool: no
     * further node is updated. Node: it stays in its phase.
     */
    static final String HOLD = "lab.capoa.io/hold";

    /** MachineConfigPool: stands for a MachineConfig of the user, whose every change is rolled out to the nodes. */
    static final String MACHINE_CONFIG = "lab.capoa.io/machine-config";

    private UpgradeFaults() {}

    static @Nullable String annotation(Map<String, Object> object, String name) {
        Object value = Fields.any(object, "metadata", "annotations", name);
        return value == null ? null : String.valueOf(value);
    }

    /** The user's part of a pool's configuration; empty without one. */
    static String machineConfig(Map<String, Object> pool) {
        String config = annotation(pool, MACHINE_CONFIG);
        return config == null ? "" : config;
    }

    static boolean isHeld(Map<String, Object> object) {
        return annotation(object, HOLD) != null;
    }

    static OperatorFault of(Map<String, Object> operator) {
        if ("Available".equals(annotation(operator, FAIL))) {
            return OperatorFault.UNAVAILABLE;
        }
        if ("Degraded".equals(annotation(operator, FAIL))) {
            return OperatorFault.DEGRADED;
        }
        return isHeld(operator) ? OperatorFault.STUCK : OperatorFault.NONE;
    }

    static Set<String> unsigned(Map<String, Object> clusterVersion) {
        return elements(annotation(clusterVersion, UNSIGNED));
    }

    /** Name of the risk by version. */
    static Map<String, String> risks(Map<String, Object> clusterVersion) {
        return elements(annotation(clusterVersion, RISKS)).stream()
                .map(element -> element.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0], pair -> pair.length > 1 ? pair[1] : "SomeRisk", (one, other) -> one));
    }

    private static Set<String> elements(@Nullable String list) {
        return list == null
                ? Set.of()
                : Arrays.stream(list.split(","))
                        .map(String::strip)
                        .filter(element -> !element.isEmpty())
                        .collect(Collectors.toSet());
    }
}
