package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pre-terminate hook that keeps a control plane host running while its node and etcd member are removed. Cluster
 * API's order is: pre-drain hooks, drain, volumes, <em>pre-terminate hooks</em>, infrastructure machine, config, node.
 */
public final class PreTerminateHook {

    private static final String DELETING = "Deleting";
    private static final String REACHED = "WaitingForPreTerminateHook";

    private PreTerminateHook() {}

    public static boolean isOn(Machine machine) {
        return annotations(machine).containsKey(Annotations.PRE_TERMINATE_HOOK);
    }

    /** Whether Cluster API waits for this hook: everything before it is done. */
    public static boolean isReached(Machine machine) {
        return MachineView.of(machine)
                .condition(DELETING)
                .filter(condition -> condition.isTrue() && condition.reason().equals(REACHED))
                .isPresent();
    }

    /** Pre-terminate hooks of other controllers, sorted; the etcd member is removed after they are done. */
    public static List<String> ofOthers(Machine machine) {
        return annotations(machine).keySet().stream()
                .filter(name -> name.startsWith(Annotations.PRE_TERMINATE_HOOK_PREFIX))
                .filter(name -> !name.equals(Annotations.PRE_TERMINATE_HOOK))
                .sorted()
                .toList();
    }

    /** Whether the user has requested to release the host without checks of the cluster. */
    public static boolean isSkipped(Machine machine) {
        return annotations(machine).containsKey(Annotations.SKIP_ETCD_REMOVAL);
    }

    /** Merge patch that removes the hook. */
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
