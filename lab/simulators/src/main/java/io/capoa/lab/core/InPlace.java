package io.capoa.lab.core;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Annotations of in-place updates, which Cluster API's controllers coordinate with. */
final class InPlace {

    private static final String PREFIX = "in-place-updates.internal." + Contract.GROUP + "/";

    /** On Machine, infrastructure machine and config: an update is in progress. */
    static final String IN_PROGRESS = PREFIX + "update-in-progress";

    /** On a Machine: it has been moved, and its new MachineSet does not count it yet. */
    static final String PENDING_MOVE = PREFIX + "pending-acknowledge-move";

    /** On a new MachineSet: names of the moved Machines that it may count. */
    static final String ACKNOWLEDGED = PREFIX + "acknowledged-move";

    /** On an old MachineSet: where to move Machines instead of deleting them. */
    static final String MOVE_TO = PREFIX + "move-machines-to-machineset";

    /** On a new MachineSet: where Machines come from. */
    static final String RECEIVE_FROM = PREFIX + "receive-machines-from-machinesets";

    /** On a Machine: hooks to be called, separated by commas. */
    static final String PENDING_HOOKS = "runtime." + Contract.GROUP + "/pending-hooks";

    static final String HOOK = "UpdateMachine";

    /** On a Machine: UID of the MachineSet that it was moved to last; its name does not follow from that one. */
    static final String RECEIVED_BY = "lab.capoa.io/received-by";

    private InPlace() {}

    static boolean isUpdating(HasMetadata machine) {
        return Contract.hasAnnotation(machine, IN_PROGRESS);
    }

    static boolean isMoving(HasMetadata machine) {
        return Contract.hasAnnotation(machine, PENDING_MOVE);
    }

    /** Whether the MachineSet got the Machine from another one. */
    static boolean isReceived(HasMetadata machine, HasMetadata set) {
        Map<String, String> annotations = machine.getMetadata().getAnnotations();
        return annotations != null && set.getMetadata().getUid().equals(annotations.get(RECEIVED_BY));
    }

    /** Whether the Machine counts as a replica of its MachineSet. */
    static boolean isCounted(HasMetadata machine, HasMetadata set) {
        return !isMoving(machine)
                || names(set, ACKNOWLEDGED).contains(machine.getMetadata().getName());
    }

    /** Whether the hook has to be called for a Machine. */
    static boolean isHookPending(HasMetadata machine) {
        return names(machine, PENDING_HOOKS).contains(HOOK);
    }

    /** Names in an annotation. */
    static List<String> names(HasMetadata object, String annotation) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        String names = annotations == null ? null : annotations.get(annotation);
        return names == null
                ? List.of()
                : Arrays.stream(names.split(",", -1))
                        .filter(name -> !name.isEmpty())
                        .toList();
    }

    static String with(List<String> names, String name) {
        return Stream.concat(names.stream(), Stream.of(name)).distinct().collect(Collectors.joining(","));
    }

    /** {@code null} if no name is left. */
    static @org.jspecify.annotations.Nullable String without(List<String> names, String name) {
        String rest = names.stream().filter(other -> !other.equals(name)).collect(Collectors.joining(","));
        return rest.isEmpty() ? null : rest;
    }
}
