package io.capoa.api.rules.node;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the metadata variables that the settings of a node refer to. */
public final class NodeVariables {

    /** What stands before the key of a label in {@link #byField}. */
    public static final String LABEL = "kubeletExtraLabels ";

    private NodeVariables() {}

    /**
     * Names of variables by the field of {@code nodeRegistration} that refers to them, in the order of the fields; a
     * label's field is {@link #LABEL} and its key. Fields without variables are left out.
     */
    public static Map<String, List<String>> byField(NodeRegistration node) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        add(all, "name", nameAsReference(node.name()));
        add(all, "providerID", node.providerID());
        for (String label : node.kubeletExtraLabels() == null ? List.<String>of() : node.kubeletExtraLabels()) {
            String key = label.substring(0, Math.max(0, label.indexOf('='))).strip();
            add(all, LABEL + key, label);
        }
        return all;
    }

    /**
     * The first setting whose variable its metadata source does not provide, as field and reason with the remedy.
     *
     * @throws InvalidNodeRegistrationException if the source is none of this version
     */
    public static Optional<String> unprovided(NodeRegistration node) {
        MetadataSource source = MetadataSource.of(node);
        return byField(node).entrySet().stream()
                .flatMap(field -> field.getValue().stream()
                        .flatMap(variable -> source.problem(variable).stream())
                        .map(problem -> "nodeRegistration." + field.getKey() + " " + problem))
                .findFirst();
    }

    private static void add(Map<String, List<String>> all, String field, @Nullable String value) {
        List<String> variables = NodeValues.variables(value);
        if (!variables.isEmpty()) {
            all.put(field, variables);
        }
    }

    /** The name of a host is always that of a variable, with or without its dollar sign. */
    private static @Nullable String nameAsReference(@Nullable String name) {
        return name == null || name.isBlank() || name.startsWith("$") ? name : "$" + name.strip();
    }
}
