package io.capoa.lab.core;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.WorkingCopy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes phase and summary conditions of a Machine from its other fields. */
final class CoreMachineConditions {

    private CoreMachineConditions() {}

    /** Writes them; returns the time after which Available changes without an event, or {@code null}. */
    static @Nullable Duration write(WorkingCopy<Machine> working) {
        Machine machine = working.read();
        Set<String> negative = new HashSet<>(Set.of("Deleting", "Updating"));
        List<?> gates = Fields.list(machine, "spec", "readinessGates");
        for (Object gate : gates) {
            if (gate instanceof Map<?, ?> g && "Negative".equals(g.get("polarity"))) {
                negative.add(String.valueOf(g.get("conditionType")));
            }
        }
        boolean bootstrapped = working.isTrue("status", "initialization", "bootstrapDataSecretCreated");
        working.deprecatedCondition("BootstrapReady", bootstrapped ? "True" : "False", "Info", "WaitingForDataSecret");
        Summary ready = new Summary(working, negative)
                .of("Deleting")
                .of("BootstrapConfigReady")
                .of("InfrastructureReady")
                .of("NodeHealthy");
        for (String optional : List.of("HealthCheckSucceeded", "OwnerRemediated")) {
            if (ConditionView.of(machine, optional).isPresent()) {
                ready.of(optional);
            }
        }
        if (working.conditionStatus("Updating").equals("True")) {
            ready.of("Updating");
        }
        for (Object gate : gates) {
            if (gate instanceof Map<?, ?> g) {
                ready.of(String.valueOf(g.get("conditionType")));
            }
        }
        ready.into("Ready");
        Duration again = available(working);
        working.set(phase(working), "status", "phase");
        return again;
    }

    private static @Nullable Duration available(WorkingCopy<Machine> working) {
        if (!working.conditionStatus("Ready").equals("True")) {
            working.condition("Available", "False", "NotReady", "");
            return null;
        }
        Integer minReady = Fields.integer(working.read(), "spec", "minReadySeconds");
        Duration left = Duration.between(
                Instant.now(), working.conditionSince("Ready").plusSeconds(minReady == null ? 0 : minReady));
        if (minReady == null || minReady == 0 || !left.isPositive()) {
            working.condition("Available", "True", "Available", "");
            return null;
        }
        working.condition("Available", "False", "WaitingForMinReadySeconds", "");
        return left;
    }

    /** The phase, by the rules of Cluster API. */
    static String phase(WorkingCopy<Machine> working) {
        if (Contract.isDeleting(working.read())) {
            return "Deleting";
        }
        boolean provisioned = working.isTrue("status", "initialization", "infrastructureProvisioned");
        boolean lost = provisioned
                && ConditionView.of(working.read(), "InfrastructureReady")
                        .filter(c -> c.reason().equals("Deleted"))
                        .isPresent();
        if (lost) {
            return "Failed";
        }
        if (provisioned) {
            return working.get("status", "nodeRef", "name") != null ? "Running" : "Provisioned";
        }
        return working.isTrue("status", "initialization", "bootstrapDataSecretCreated") ? "Provisioning" : "Pending";
    }
}
