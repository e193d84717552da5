package io.capoa.api.rules.node;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the metadata that a node's settings may refer to, one for each value of
 * {@code nodeRegistration.metadataSource}.
 */
public enum MetadataSource {
    /** A config drive, of whatever keys. */
    CONFIG_DRIVE(NodeRegistration.METADATA_CONFIG_DRIVE, null),
    AWS(NodeRegistration.METADATA_AWS, Variables.CLOUD),
    AZURE(NodeRegistration.METADATA_AZURE, Variables.CLOUD),
    GCP(NodeRegistration.METADATA_GCP, Variables.CLOUD),
    /** OpenStack's metadata service, which has the keys of a config drive, and so whatever keys. */
    OPENSTACK(NodeRegistration.METADATA_OPENSTACK, null),
    NONE(NodeRegistration.METADATA_NONE, Set.of());

    /** Names that an enum's constants can refer to. */
    private static final class Variables {
        private static final Set<String> CLOUD = Set.of(
                "METADATA_LOCAL_HOSTNAME",
                "METADATA_INSTANCE_ID",
                "METADATA_INSTANCE_TYPE",
                "METADATA_REGION",
                "METADATA_ZONE",
                "METADATA_PROVIDER_ID");
    }

    private final String value;
    private final @Nullable Set<String> variables;

    MetadataSource(String value, @Nullable Set<String> variables) {
        this.value = value;
        this.variables = variables;
    }

    /**
     * The source that the settings choose; the config drive where they choose none.
     *
     * @throws InvalidNodeRegistrationException if the value is not one of this version
     */
    public static MetadataSource of(@Nullable NodeRegistration node) {
        String chosen = node == null ? null : node.metadataSource();
        if (chosen == null || chosen.isBlank()) {
            return CONFIG_DRIVE;
        }
        return Arrays.stream(values())
                .filter(source -> source.value.equals(chosen))
                .findFirst()
                .orElseThrow(
                        () -> new InvalidNodeRegistrationException("invalid nodeRegistration.metadataSource: write "
                                + Arrays.stream(values())
                                        .map(source -> source.value)
                                        .collect(Collectors.joining(", "))));
    }

    /**
     * Why the variable has no value with this source, with the remedy; empty if it may have one. Keys of a config drive
     * and of OpenStack are not known before the host boots.
     *
     * @param variable its name without the dollar sign
     */
    public Optional<String> problem(String variable) {
        if (variables == null || variables.contains(variable)) {
            return Optional.empty();
        }
        List<String> known = variables.stream().sorted().map(name -> "$" + name).toList();
        return Optional.of(
                this == NONE
                        ? "needs $" + variable + ", and nodeRegistration.metadataSource None provides no variables:"
                                + " choose a source, or write a value without variables"
                        : "needs $" + variable + ", which nodeRegistration.metadataSource " + value
                                + " does not provide: write one of " + String.join(", ", known));
    }

    @Override
    public String toString() {
        return value;
    }
}
