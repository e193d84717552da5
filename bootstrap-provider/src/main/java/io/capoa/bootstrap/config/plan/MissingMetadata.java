package io.capoa.bootstrap.config.plan;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.rules.node.NodeVariables;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.runtime.status.Blocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds settings that need host metadata on hosts that have none: a live ISO comes without a config drive. The host
 * would drop these settings, and only its journal would show it.
 */
final class MissingMetadata {

    private MissingMetadata() {}

    /** Why the host is not to be booted; one that has been taken already is not held up. */
    static Optional<Blocker> blocker(ConfigObservation seen) {
        NodeRegistration node = seen.config().getSpec().nodeRegistration();
        if (node == null
                || !needsConfigDrive(node)
                || !seen.infrastructure().isLiveIso()
                || seen.latched()
                || seen.hostTaken()) {
            return Optional.empty();
        }
        List<String> settings = settings(node, seen.infrastructure().nodeLabels());
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

    /** A value of a later version is no config drive; it has been refused before. */
    private static boolean needsConfigDrive(NodeRegistration node) {
        String source = node.metadataSource();
        return source == null || source.isBlank() || source.equals(NodeRegistration.METADATA_CONFIG_DRIVE);
    }

    /**
     * The fields that name variables, with them.
     *
     * @param labels that the node gets by Agent.spec.nodeLabels: that manifests usually set them here too does no harm
     */
    private static List<String> settings(NodeRegistration node, Set<String> labels) {
        List<String> settings = new ArrayList<>();
        NodeVariables.byField(node).forEach((field, variables) -> {
            if (labels.stream().noneMatch(label -> field.equals(NodeVariables.LABEL + label))) {
                settings.add("spec.nodeRegistration." + field
                        + variables.stream()
                                .map(variable -> "$" + variable)
                                .collect(Collectors.joining(", ", " needs ", "")));
            }
        });
        return settings;
    }
}
