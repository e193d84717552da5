package io.capoa.controlplane.steps.machines;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ForeignObject;
import io.capoa.controlplane.machines.UpToDate;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes condition UpToDate of each Machine (control plane contract, "UpToDate"). */
public final class UpToDateStep {

    private final ControlPlaneSources sources;
    private final Applier applier;
    private final Clock clock;

    public UpToDateStep(ControlPlaneSources sources, Applier applier, Clock clock) {
        this.sources = sources;
        this.applier = applier;
        this.clock = clock;
    }

    /** Returns whether a condition was written. */
    public boolean apply(ControlPlaneObservation observation) {
        boolean written = false;
        for (Machine machine : observation.machines()) {
            if (machine.getMetadata().getDeletionTimestamp() == null) {
                written |= apply(observation, machine);
            }
        }
        return written;
    }

    private boolean apply(ControlPlaneObservation observation, Machine machine) {
        String name = machine.getMetadata().getName();
        List<String> differences = UpToDate.differences(
                observation.identity(),
                machine,
                observation.config(name).orElse(null),
                observation.infrastructureMachine(name));
        ConditionView wanted = differences.isEmpty()
                ? new ConditionView(
                        ControlPlaneConditions.MACHINE_UP_TO_DATE,
                        Condition.TRUE,
                        ControlPlaneConditions.MACHINE_UP_TO_DATE,
                        "")
                : new ConditionView(
                        ControlPlaneConditions.MACHINE_UP_TO_DATE,
                        Condition.FALSE,
                        ControlPlaneConditions.NOT_UP_TO_DATE,
                        differences.stream()
                                .map(difference -> "* " + difference)
                                .collect(Collectors.joining("\n")));
        boolean said = MachineView.of(machine)
                .condition(wanted.type())
                .filter(wanted::equals)
                .isPresent();
        if (!said) {
            applier.applyStatus(sources.machines(), fragment(machine, wanted));
        }
        return !said;
    }

    /** A server-side apply fragment with this condition alone; conditions are merged by type. */
    private Machine fragment(Machine machine, ConditionView wanted) {
        Map<String, Object> condition = new TreeMap<>();
        condition.put("type", wanted.type());
        condition.put("status", wanted.status());
        condition.put("reason", wanted.reason());
        condition.put("message", wanted.message());
        condition.put(
                "lastTransitionTime",
                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        Machine fragment = ForeignObject.of(
                new Machine(),
                new ObjectMetaBuilder()
                        .withNamespace(machine.getMetadata().getNamespace())
                        .withName(machine.getMetadata().getName())
                        .withUid(machine.getMetadata().getUid())
                        .build(),
                Map.of());
        fragment.getAdditionalProperties().remove("spec");
        fragment.setAdditionalProperty("status", Map.of("conditions", List.of(condition)));
        return fragment;
    }
}
