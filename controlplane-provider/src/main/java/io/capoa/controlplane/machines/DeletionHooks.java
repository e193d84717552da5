package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The provider's hooks on a control plane Machine. The pre-drain hook keeps its workloads where they are as long as its
 * healthy etcd member has to stay; the pre-terminate hook keeps its host running while node and member are removed. Cluster
 * API's order is: <em>pre-drain hooks</em>, drain, volumes, <em>pre-terminate hooks</em>, infrastructure machine, config,
 * node.
 */
public final class DeletionHooks {

    /** Both, in the order of their release. */
    static final List<String> ALL = List.of(Annotations.PRE_DRAIN_HOOK, Annotations.PRE_TERMINATE_HOOK);

    private static final String DELETING = "Deleting";
    private static final String TERMINATING = "WaitingForPreTerminateHook";

    private DeletionHooks() {}

    /**
     * Names of the hooks of a Machine that is not being deleted: the only one of a control plane has no replacement to wait
     * for.
     */
    static List<String> wanted(@Nullable Integer replicas) {
        return replicas != null && replicas > 1 ? ALL : List.of(Annotations.PRE_TERMINATE_HOOK);
    }

    /** Names of the hooks that the Machine has, in the order of their release. */
    public static List<String> on(Machine machine) {
        return ALL.stream().filter(annotations(machine)::containsKey).toList();
    }

    /** Whether the pre-drain hook is on the Machine. */
    public static boolean holdsDrain(Machine machine) {
        return on(machine).contains(Annotations.PRE_DRAIN_HOOK);
    }

    /** Whether Cluster API waits for the pre-terminate hooks: everything before them is done. */
    public static boolean isTerminating(Machine machine) {
        return MachineView.of(machine)
                .condition(DELETING)
                .filter(condition -> condition.isTrue() && condition.reason().equals(TERMINATING))
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

    /** Merge patch that removes hooks; empty for none. */
    public static Map<String, Object> removal(Collection<String> hooks) {
        if (hooks.isEmpty()) {
            return Map.of();
        }
        Map<String, Object> annotations = new HashMap<>();
        hooks.forEach(hook -> annotations.put(hook, null));
        return Map.of("metadata", Map.of("annotations", annotations));
    }

    private static Map<String, String> annotations(Machine machine) {
        Map<String, String> annotations = machine.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
