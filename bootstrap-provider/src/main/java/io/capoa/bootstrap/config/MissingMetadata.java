package io.capoa.bootstrap.config;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.rules.node.NodeValues;
import io.capoa.runtime.status.Blocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds settings that need host metadata on hosts that have none: a live ISO comes without a config drive. The host
 * would drop these settings, and only its journal would show it.
 */
final class MissingMetadata {

    private MissingMetadata() {}

    /** Why the host is not to be booted; one that has been taken already is not held up. */
    static Optional<Blocker> blocker(ConfigObservation seen) {
        NodeRegistration node = seen.config().getSpec().nodeRegistration();
        if (node == null || !seen.infrastructure().isLiveIso() || seen.latched() || seen.hostTaken()) {
            return Optional.empty();
        }
        List<String> settings = settings(node);
        return settings.isEmpty()
                ? Optional.empty()
                : Optional.of(new Blocker(
                        ConfigConditions.HOST_METADATA_UNAVAILABLE,
                        String.join(", ", settings)
                                + ": the host boots a live ISO, which has no config drive to read metadata from. Replace"
                                + " the Machine by one of a template without them: hostnamePolicy MachineName or HostName"
                                + " names the host, nodeLabels label its node, and Metal3 sets the provider ID without"
                                + " your doing; or have the host boot a disk image"));
    }

    /** The fields that name variables, with them. */
    private static List<String> settings(NodeRegistration node) {
        List<String> settings = new ArrayList<>();
        add(settings, "spec.nodeRegistration.name", NodeValues.variables(nameAsReference(node.name())));
        add(settings, "spec.nodeRegistration.providerID", NodeValues.variables(node.providerID()));
        for (String label : node.kubeletExtraLabels() == null ? List.<String>of() : node.kubeletExtraLabels()) {
            String key = label.substring(0, Math.max(0, label.indexOf('='))).strip();
            // The usual label of manifests for Metal3 does no harm: the node gets it by Agent.spec.nodeLabels.
            if (!key.equals(Labels.METAL3_UUID)) {
                add(settings, "spec.nodeRegistration.kubeletExtraLabels " + key, NodeValues.variables(label));
            }
        }
        return settings;
    }

    /** The name of a host is always that of a variable, with or without its dollar sign. */
    private static @Nullable String nameAsReference(@Nullable String name) {
        return name == null || name.isBlank() || name.startsWith("$") ? name : "$" + name.strip();
    }

    private static void add(List<String> settings, String field, List<String> variables) {
        if (!variables.isEmpty()) {
            settings.add(field
                    + variables.stream()
                            .map(variable -> "$" + variable)
                            .collect(Collectors.joining(", ", " needs ", "")));
        }
    }
}
