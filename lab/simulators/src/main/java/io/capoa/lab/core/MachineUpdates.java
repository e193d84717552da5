package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.extension.HookFailure;
import io.capoa.lab.extension.RuntimeExtensions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls hook UpdateMachine for a Machine until the update is done. */
final class MachineUpdates {

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final String UPDATING = "Updating";

    private final RuntimeExtensions extensions;
    private final Externals externals;

    MachineUpdates(RuntimeExtensions extensions, Externals externals) {
        this.extensions = extensions;
        this.externals = externals;
    }

    /** Advances the update; returns when to call again, or {@code null}. */
    @Nullable
    Duration advance(WorkingCopy<Machine> working) {
        Machine machine = working.read();
        if (!InPlace.isUpdating(machine) && InPlace.isHookPending(machine)) {
            // A user has removed the annotation, which ends the update.
            finish(working);
            return null;
        }
        if (!InPlace.isUpdating(machine)) {
            if (!working.conditionStatus(UPDATING).equals("Unknown")) {
                working.condition(UPDATING, "False", "NotUpdating", "");
            }
            return null;
        }
        if (!InPlace.isHookPending(machine)) {
            working.condition(UPDATING, "True", "InPlaceUpdating", "In-place update not started");
            return null;
        }
        try {
            Map<String, Object> response = extensions.call(
                    InPlace.HOOK, machine.getMetadata().getNamespace(), Map.of("desired", desired(machine)));
            int seconds = response.get("retryAfterSeconds") instanceof Number number ? number.intValue() : 0;
            if (seconds > 0) {
                String message = "In-place update in progress: " + response.get("message");
                working.condition(UPDATING, "True", "InPlaceUpdating", message);
                return Duration.ofSeconds(seconds);
            }
        } catch (HookFailure e) {
            working.condition(UPDATING, "True", "InPlaceUpdateFailed", "In-place update failed");
            return AFTER_FAILURE;
        }
        finish(working);
        return null;
    }

    private Map<String, Object> desired(Machine machine) {
        Map<String, Object> desired = new LinkedHashMap<>();
        desired.put("machine", InPlaceDecisions.reduced(machine));
        put(desired, "infrastructureMachine", machine, "infrastructureRef");
        put(desired, "bootstrapConfig", machine, "bootstrap", "configRef");
        return desired;
    }

    private void put(Map<String, Object> desired, String name, Machine machine, String... path) {
        GenericKubernetesResource object = get(machine, path);
        if (object != null) {
            desired.put(name, InPlaceDecisions.reduced(object));
        }
    }

    private void finish(WorkingCopy<Machine> working) {
        Machine machine = working.read();
        for (String[] path : List.of(new String[] {"infrastructureRef"}, new String[] {"bootstrap", "configRef"})) {
            GenericKubernetesResource object = get(machine, path);
            Reference to = reference(machine, path);
            if (object != null && to != null) {
                externals.write(
                        new WorkingCopy<>(object).set(null, "metadata", "annotations", InPlace.IN_PROGRESS), to);
            }
        }
        working.set(null, "metadata", "annotations", InPlace.IN_PROGRESS);
        working.set(
                InPlace.without(InPlace.names(machine, InPlace.PENDING_HOOKS), InPlace.HOOK),
                "metadata",
                "annotations",
                InPlace.PENDING_HOOKS);
        working.condition(UPDATING, "False", "NotUpdating", "");
    }

    private @Nullable GenericKubernetesResource get(Machine machine, String... path) {
        Reference reference = reference(machine, path);
        return reference == null ? null : externals.get(reference);
    }

    private static @Nullable Reference reference(Machine machine, String... path) {
        return Reference.of(
                machine.getMetadata().getNamespace(), Fields.any((Object) Fields.map(machine, "spec"), path));
    }
}
