package io.capoa.bootstrap.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.KernelArgument;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.contract.Machine;
import io.capoa.api.rules.node.NodeValues;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Desired fields of an Agent's spec; what is {@code null} or empty is left to assisted-service and to other writers.
 *
 * @param ignition the installed host's, JSON of version 3.1.0 or 3.2.0
 * @param installerArgs a JSON array
 */
public record AgentSettings(
        String role,
        @Nullable String hostname,
        String ignition,
        String installerArgs,
        @Nullable String machineConfigPool,
        SortedMap<String, String> nodeLabels,
        @Nullable String diskId) {

    private static final String ARBITER = "arbiter";

    /**
     * What spec, Machine and infrastructure provider ask for.
     *
     * @param hints of the Machine's host; {@link HostHints#NONE} where its provider gives none
     */
    public static AgentSettings of(
            OpenshiftAssistedConfigSpec spec,
            Machine machine,
            HostHints hints,
            String ignition,
            @Nullable String diskId) {
        return new AgentSettings(
                role(machine),
                hostname(spec, machine, hints),
                ignition,
                installerArguments(spec),
                spec.machineConfigPool(),
                nodeLabels(spec, role(machine), hints),
                diskId);
    }

    /**
     * The role in the installation, after the label by which Cluster API marks Machines of the control plane, and the
     * annotation by which a control plane marks its arbiters.
     */
    static String role(Machine machine) {
        Map<String, String> labels = machine.getMetadata().getLabels();
        if (labels == null || !labels.containsKey(Labels.CONTROL_PLANE)) {
            return "worker";
        }
        Map<String, String> annotations = machine.getMetadata().getAnnotations();
        return annotations != null && ARBITER.equals(annotations.get(Annotations.BMAC_ROLE)) ? ARBITER : "master";
    }

    private static @Nullable String hostname(OpenshiftAssistedConfigSpec spec, Machine machine, HostHints hints) {
        return switch (Objects.requireNonNullElse(spec.hostnamePolicy(), OpenshiftAssistedConfigSpec.HOSTNAME_NONE)) {
            case OpenshiftAssistedConfigSpec.HOSTNAME_MACHINE ->
                machine.getMetadata().getName();
            case OpenshiftAssistedConfigSpec.HOSTNAME_HOST -> hints.name();
            default -> null;
        };
    }

    private static SortedMap<String, String> nodeLabels(
            OpenshiftAssistedConfigSpec spec, String role, HostHints hints) {
        SortedMap<String, String> labels = new TreeMap<>(role.equals(ARBITER) ? kubeletLabels(spec) : Map.of());
        labels.putAll(spec.nodeLabels() == null ? Map.of() : spec.nodeLabels());
        labels.putAll(hints.nodeLabels());
        return labels;
    }

    /**
     * The labels of the kubelet that are known without the host's metadata: an arbiter's kubelet reads none
     * (machine-config-operator, templates/arbiter).
     */
    private static Map<String, String> kubeletLabels(OpenshiftAssistedConfigSpec spec) {
        NodeRegistration node = spec.nodeRegistration();
        List<String> labels = node == null ? null : node.kubeletExtraLabels();
        return NodeValues.labels(labels == null ? List.of() : labels).stream()
                .filter(label -> !NodeValues.hasVariable(label))
                .map(label -> label.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (first, last) -> last));
    }

    /**
     * Arguments for the installer. It knows how to append and to delete kernel arguments; a replaced one is appended,
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
        if (spec.installerArgs() != null) {
            spec.installerArgs().forEach(arguments::add);
        }
        return arguments.toString();
    }
}
