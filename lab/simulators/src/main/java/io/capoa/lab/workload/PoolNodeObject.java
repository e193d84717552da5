package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.Condition;
import io.capoa.lab.upgrade.PoolMachine;
import io.capoa.lab.upgrade.PoolNode;
import io.capoa.lab.upgrade.PoolNode.Phase;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes what the machine-config operator and the kubelet keep in a Node. */
final class PoolNodeObject {

    private static final String PREFIX = "machineconfiguration.openshift.io/";
    private static final String CURRENT = PREFIX + "currentConfig";
    private static final String DESIRED = PREFIX + "desiredConfig";
    private static final String STATE = PREFIX + "state";

    /** Types of the conditions that a kubelet reports. */
    private static final List<String> PRESSURES = List.of("MemoryPressure", "DiskPressure", "PIDPressure");

    private PoolNodeObject() {}

    static boolean isKnown(Map<String, Object> node) {
        return !annotation(node, CURRENT).isEmpty();
    }

    static String currentConfig(Map<String, Object> node) {
        return annotation(node, CURRENT);
    }

    /** A Node that joins with a configuration. */
    static Map<String, Object> join(Map<String, Object> node, String config) {
        return annotate(node, Map.of(CURRENT, config, DESIRED, config, STATE, Phase.DONE.annotation()));
    }

    static PoolNode read(Map<String, Object> node, Instant since, boolean off) {
        Object ready = StatusConditions.find(node, "Ready").get("status");
        return new PoolNode(
                ObjectStore.name(node),
                new PoolNode.Place(
                        Fields.text(node, "metadata", "labels", "topology.kubernetes.io/zone"),
                        Fields.text(node, "metadata", "creationTimestamp")),
                annotation(node, CURRENT),
                annotation(node, DESIRED),
                Phase.of(annotation(node, STATE)),
                since,
                ready == null || "True".equals(ready),
                off || UpgradeFaults.isHeld(node));
    }

    static String kubelet(Map<String, Object> node) {
        return Fields.text(node, "status", "nodeInfo", "kubeletVersion");
    }

    /**
     * Writes a phase into the Node: it is cordoned when its update starts, and uncordoned at the end.
     *
     * @param kubelet version of the kubelet in the step's configuration
     * @param failure why the update fails, if it does
     */
    static Map<String, Object> enter(Map<String, Object> node, PoolMachine.Step step, String kubelet, String failure) {
        Map<String, Object> annotations = new LinkedHashMap<>();
        annotations.put(STATE, step.phase().annotation());
        annotations.put(DESIRED, step.config());
        annotations.put(PREFIX + "reason", step.phase() == Phase.DEGRADED ? failure : "");
        switch (step.phase()) {
            case DRAINING -> {
                annotations.put(PREFIX + "desiredDrain", "drain-" + step.config());
                Json.merge(node, Map.of("spec", Map.of("unschedulable", true)));
            }
            case REBOOTING -> annotations.put(PREFIX + "lastAppliedDrain", "drain-" + step.config());
            case DONE -> {
                annotations.put(CURRENT, step.config());
                annotations.put(PREFIX + "desiredDrain", "uncordon-" + step.config());
                annotations.put(PREFIX + "lastAppliedDrain", "uncordon-" + step.config());
                if (node.get("spec") instanceof Map<?, ?> spec) {
                    spec.remove("unschedulable");
                }
                Json.merge(node, Map.of("status", Map.of("nodeInfo", Map.of("kubeletVersion", kubelet))));
                ready(node);
            }
            case DEGRADED -> {
                // The Node stays cordoned.
            }
        }
        return annotate(node, annotations);
    }

    private static void ready(Map<String, Object> node) {
        List<Condition> conditions = new java.util.ArrayList<>();
        conditions.add(Condition.yes("Ready", "KubeletReady", "kubelet is posting ready status"));
        PRESSURES.forEach(type -> conditions.add(Condition.no(type, "KubeletHasNoPressure", "")));
        Json.merge(node, Map.of("status", Map.of("conditions", StatusConditions.of(conditions, node))));
    }

    private static Map<String, Object> annotate(Map<String, Object> node, Map<String, Object> annotations) {
        Json.merge(node, Map.of("metadata", Map.of("annotations", annotations)));
        return Json.copy(node);
    }

    private static String annotation(Map<String, Object> node, String name) {
        return Fields.text(node, "metadata", "annotations", name);
    }
}
