package io.capoa.api.rules.node;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the metadata that a node's settings may refer to, one for each value of
 * {@code nodeRegistration.metadataSource}.
 */
public enum MetadataSource {
    CONFIG_DRIVE(NodeRegistration.METADATA_CONFIG_DRIVE, Keys.ANY),
    AWS(NodeRegistration.METADATA_AWS, Keys.COMMON),
    AZURE(NodeRegistration.METADATA_AZURE, Keys.COMMON),
    GCP(NodeRegistration.METADATA_GCP, Keys.COMMON),
    OPENSTACK(NodeRegistration.METADATA_OPENSTACK, Keys.ANY),
    NONE(NodeRegistration.METADATA_NONE, Keys.NONE);

    /** Which variables a source provides. */
    private enum Keys {
        /** Whatever the infrastructure provider or the user has put there. */
        ANY,
        /** Those that the scripts of all clouds write. */
        COMMON,
        NONE
    }

    private static final List<String> COMMON = List.of(
            "METADATA_INSTANCE_ID",
            "METADATA_INSTANCE_TYPE",
            "METADATA_LOCAL_HOSTNAME",
            "METADATA_PROVIDER_ID",
            "METADATA_REGION",
            "METADATA_ZONE");

    private final String value;
    private final Keys keys;

    MetadataSource(String value, Keys keys) {
        this.value = value;
        this.keys = keys;
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
        return switch (keys) {
            case ANY -> Optional.empty();
            case COMMON ->
                COMMON.contains(variable)
                        ? Optional.empty()
                        : Optional.of("needs $" + variable + ", which nodeRegistration.metadataSource " + value
                                + " does not provide: write one of $" + String.join(", $", COMMON));
            case NONE ->
                Optional.of("needs $" + variable + ", and nodeRegistration.metadataSource None provides no variables:"
                        + " choose a source, or write a value without variables");
        };
    }

    @Override
    public String toString() {
        return value;
    }
}
