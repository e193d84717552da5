package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hook that keeps a control plane host running while its node and etcd member leave the cluster. Cluster API's order
 * is: pre-drain hooks, drain, volumes, <em>pre-terminate hooks</em>, infrastructure machine, config, node.
 */
public final class PreTerminateHook {

    private static final String DELETING = "Deleting";
    private static final String REACHED = "WaitingForPreTerminateHook";

    private PreTerminateHook() {}

    public static boolean isOn(Machine machine) {
        return annotations(machine).containsKey(Annotations.PRE_TERMINATE_HOOK);
    }

    /** Whether Cluster API has done all that comes before the hook. */
    public static boolean isReached(Machine machine) {
        return MachineView.of(machine)
                .condition(DELETING)
                .filter(condition -> condition.isTrue() && condition.reason().equals(REACHED))
                .isPresent();
    }

    /** Pre-terminate hooks of others, sorted: the etcd member goes last, when these are done. */
    public static List<String> ofOthers(Machine machine) {
        return annotations(machine).keySet().stream()
                .filter(name -> name.startsWith(Annotations.PRE_TERMINATE_HOOK_PREFIX))
                .filter(name -> !name.equals(Annotations.PRE_TERMINATE_HOOK))
                .sorted()
                .toList();
    }

    /** Whether the user has asked to let the host go without looking at the cluster. */
    public static boolean isSkipped(Machine machine) {
        return annotations(machine).containsKey(Annotations.SKIP_ETCD_REMOVAL);
    }

    /** A merge patch that takes the hook away. */
    public static Map<String, Object> removal() {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(Annotations.PRE_TERMINATE_HOOK, null);
        return Map.of("metadata", Map.of("annotations", annotations));
    }

    private static Map<String, String> annotations(Machine machine) {
        Map<String, String> annotations = machine.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
