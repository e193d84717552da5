package io.capoa.lab.core;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.actors.Draft;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes phase and summary conditions of a Machine from its other fields. */
final class MachineConditions {

    private MachineConditions() {}

    /** Writes them; returns the time after which Available changes without an event, or {@code null}. */
    static @Nullable Duration write(Draft<Machine> draft) {
        Machine machine = draft.read();
        Set<String> negative = new HashSet<>(Set.of("Deleting"));
        List<?> gates = Fields.list(machine, "spec", "readinessGates");
        for (Object gate : gates) {
            if (gate instanceof Map<?, ?> g && "Negative".equals(g.get("polarity"))) {
                negative.add(String.valueOf(g.get("conditionType")));
            }
        }
        Summary ready = new Summary(draft, negative)
                .of("Deleting")
                .of("BootstrapConfigReady")
                .of("InfrastructureReady")
                .of("NodeHealthy");
        for (String optional : List.of("HealthCheckSucceeded", "OwnerRemediated")) {
            if (ConditionView.of(machine, optional).isPresent()) {
                ready.of(optional);
            }
        }
        for (Object gate : gates) {
            if (gate instanceof Map<?, ?> g) {
                ready.of(String.valueOf(g.get("conditionType")));
            }
        }
        ready.into("Ready");
        Duration again = available(draft);
        draft.set(phase(draft), "status", "phase");
        return again;
    }

    private static @Nullable Duration available(Draft<Machine> draft) {
        if (!draft.conditionStatus("Ready").equals("True")) {
            draft.condition("Available", "False", "NotReady", "");
            return null;
        }
        Integer minReady = Fields.integer(draft.read(), "spec", "minReadySeconds");
        Duration left = Duration.between(
                Instant.now(), draft.conditionSince("Ready").plusSeconds(minReady == null ? 0 : minReady));
        if (minReady == null || minReady == 0 || !left.isPositive()) {
            draft.condition("Available", "True", "Available", "");
            return null;
        }
        draft.condition("Available", "False", "WaitingForMinReadySeconds", "");
        return left;
    }

    /** The phase, by the rules of Cluster API. */
    static String phase(Draft<Machine> draft) {
        if (Contract.isDeleting(draft.read())) {
            return "Deleting";
        }
        boolean provisioned = draft.isTrue("status", "initialization", "infrastructureProvisioned");
        boolean lost = provisioned
                && ConditionView.of(draft.read(), "InfrastructureReady")
                        .filter(c -> c.reason().equals("Deleted"))
                        .isPresent();
        if (lost) {
            return "Failed";
        }
        if (provisioned) {
            return draft.get("status", "nodeRef", "name") != null ? "Running" : "Provisioned";
        }
        return draft.isTrue("status", "initialization", "bootstrapDataSecretCreated") ? "Provisioning" : "Pending";
    }
}
