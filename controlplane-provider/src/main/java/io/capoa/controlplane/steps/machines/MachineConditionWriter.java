package io.capoa.controlplane.steps.machines;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.controlplane.identity.ForeignObject;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.runtime.status.Transition;
import io.capoa.runtime.status.TransitionLog;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes conditions of Machines by server-side apply; conditions are merged by type. Each request has all conditions that
 * this provider has written: the API server takes away fields that their manager no longer applies.
 */
public final class MachineConditionWriter {

    /** Conditions that this provider writes, with the reasons that it gives them. */
    private static final Map<String, Set<String>> WRITTEN = Map.of(
            ControlPlaneMachineConditions.UP_TO_DATE,
            Set.of(ControlPlaneMachineConditions.UP_TO_DATE, ControlPlaneMachineConditions.NOT_UP_TO_DATE),
            ControlPlaneMachineConditions.OWNER_REMEDIATED,
            Set.of(
                    ControlPlaneMachineConditions.REMEDIATION_DEFERRED,
                    ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED,
                    ControlPlaneMachineConditions.MACHINE_DELETING));

    private final ControlPlaneSources sources;
    private final Applier applier;
    private final Clock clock;

    public MachineConditionWriter(ControlPlaneSources sources, Applier applier, Clock clock) {
        this.sources = sources;
        this.applier = applier;
        this.clock = clock;
    }

    /** Writes the condition if the Machine does not have it; returns whether it was written. */
    boolean write(Machine machine, ConditionView wanted) {
        ConditionView actual = MachineView.of(machine).condition(wanted.type()).orElse(null);
        if (wanted.equals(actual)) {
            return false;
        }
        boolean changes = actual == null || !actual.status().equals(wanted.status());
        List<Map<String, Object>> conditions = new ArrayList<>();
        conditions.add(fields(wanted, changes ? now() : since(machine, wanted)));
        WRITTEN.forEach((type, reasons) -> MachineView.of(machine)
                .condition(type)
                .filter(other -> !type.equals(wanted.type()) && reasons.contains(other.reason()))
                .ifPresent(other -> conditions.add(fields(other, since(machine, other)))));
        applier.applyStatus(sources.machines(), fragment(machine, conditions));
        Transition.of(actual, wanted).ifPresent(transition -> TransitionLog.write(machine, List.of(transition)));
        return true;
    }

    private static Map<String, Object> fields(ConditionView wanted, String since) {
        Map<String, Object> condition = new TreeMap<>();
        condition.put("type", wanted.type());
        condition.put("status", wanted.status());
        condition.put("reason", wanted.reason());
        condition.put("message", wanted.message());
        condition.put("lastTransitionTime", since);
        return condition;
    }

    private static Machine fragment(Machine machine, List<Map<String, Object>> conditions) {
        Machine fragment = ForeignObject.of(
                new Machine(),
                new ObjectMetaBuilder()
                        .withNamespace(machine.getMetadata().getNamespace())
                        .withName(machine.getMetadata().getName())
                        .withUid(machine.getMetadata().getUid())
                        .build(),
                Map.of());
        fragment.getAdditionalProperties().remove("spec");
        fragment.setAdditionalProperty("status", Map.of("conditions", conditions));
        return fragment;
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String since(Machine machine, ConditionView condition) {
        return Fields.list(machine, "status", "conditions").stream()
                .filter(entry -> condition.type().equals(Fields.text(entry, "type")))
                .map(entry -> Fields.text(entry, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .findFirst()
                .orElseGet(this::now);
    }
}
