package io.capoa.bootstrap.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.KernelArgument;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The few fields of an Agent's spec that make a discovered host the Machine's node. */
public final class AgentFields {

    /** Host states in which assisted-service still takes changes to an Agent's spec. */
    private static final Set<String> OPEN_STATES = Set.of(
            "",
            "discovering",
            "discovering-unbound",
            "known",
            "known-unbound",
            "insufficient",
            "insufficient-unbound",
            "disconnected",
            "disconnected-unbound",
            "pending-for-input",
            "binding");

    private AgentFields() {}

    /**
     * What to merge into the Agent; empty when it is as it should be, or when its installation has begun and nothing
     * may change any more. It approves, and never takes an approval back.
     *
     * @param ignition the installed host's ignition, JSON of version 3.1.0
     */
    public static Map<String, Object> patch(
            Agent agent, Machine machine, OpenshiftAssistedConfigSpec spec, String ignition) {
        if (!isOpen(agent)) {
            return Map.of();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        putIfOther(fields, agent, "role", role(machine));
        putIfOther(fields, agent, "ignitionConfigOverrides", ignition);
        putIfOther(fields, agent, "installerArgs", installerArguments(spec));
        putIfOther(fields, agent, "approved", true);
        return fields.isEmpty() ? Map.of() : Map.of("spec", fields);
    }

    /** Whether assisted-service still takes changes to the Agent's spec. */
    public static boolean isOpen(Agent agent) {
        return OPEN_STATES.contains(
                Objects.requireNonNullElse(Fields.string(agent, "status", "debugInfo", "state"), ""));
    }

    /** The role in the installation, after the label by which Cluster API marks Machines of the control plane. */
    static String role(Machine machine) {
        Map<String, String> labels = machine.getMetadata().getLabels();
        return labels != null && labels.containsKey(Labels.CONTROL_PLANE) ? "master" : "worker";
    }

    /**
     * Arguments for the installer as a JSON array. It knows how to append and to delete; a replaced argument is appended,
     * for of two values the kernel takes the last.
     */
    static String installerArguments(OpenshiftAssistedConfigSpec spec) {
        ArrayNode arguments = JsonNodeFactory.instance.arrayNode();
        for (KernelArgument argument :
                spec.kernelArguments() == null ? List.<KernelArgument>of() : spec.kernelArguments()) {
            if (argument.value() != null && argument.operation() != null) {
                arguments.add(argument.operation().equals("delete") ? "--delete-karg" : "--append-karg");
                arguments.add(argument.value());
            }
        }
        return arguments.toString();
    }

    private static void putIfOther(Map<String, Object> fields, Agent agent, String field, Object wanted) {
        Object present = Fields.any(agent, "spec", field);
        boolean nothingToSay = present == null && wanted.equals("[]");
        if (!wanted.equals(present) && !nothingToSay) {
            fields.put(field, wanted);
        }
    }
}
