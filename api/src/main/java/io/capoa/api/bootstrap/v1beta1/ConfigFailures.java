package io.capoa.api.bootstrap.v1beta1;

import io.capoa.api.conditions.Condition;
import java.util.Set;

/**
 * Reasons of an OpenshiftAssistedConfig's conditions with which something is wrong, so that a person has to act. They become
 * Events of the config, and the control plane names its Machine while they keep the installation from starting. An
 * installation without failures gives none of them.
 */
public final class ConfigFailures {

    /** The reasons, constants of {@link ConfigConditions}. */
    public static final Set<String> REASONS = Set.of(
            ConfigConditions.INVALID_CONFIGURATION,
            ConfigConditions.UNSUPPORTED_OWNER,
            ConfigConditions.PULL_SECRET_NOT_FOUND,
            ConfigConditions.PULL_SECRET_INVALID,
            ConfigConditions.INFRA_ENV_FAILED,
            ConfigConditions.INFRA_ENV_CONFLICT,
            ConfigConditions.IMAGE_CREATION_FAILED,
            ConfigConditions.LIVE_ISO_FAILED,
            ConfigConditions.IGNITION_DOWNLOAD_FAILED,
            ConfigConditions.INVALID_IGNITION,
            ConfigConditions.INVALID_NODE_REGISTRATION,
            ConfigConditions.HOST_METADATA_UNAVAILABLE,
            ConfigConditions.CUSTOM_DEPLOY_CONFLICT,
            ConfigConditions.HOST_MANAGED_BY_ASSISTED_SERVICE,
            ConfigConditions.NO_HOST_AVAILABLE,
            ConfigConditions.BARE_METAL_HOST_ERROR,
            ConfigConditions.HOST_NOT_REGISTERED,
            ConfigConditions.HOST_UPDATE_FAILED,
            ConfigConditions.CREATING_SECRET_FAILED,
            ConfigConditions.SECRET_CONFLICT,
            ConfigConditions.DUPLICATE_AGENT,
            ConfigConditions.FOREIGN_NETWORK_SETTINGS,
            ConfigConditions.HOST_SETTINGS_IGNORED,
            ConfigConditions.WRONG_HOST,
            ConfigConditions.AMBIGUOUS_HOST,
            ConfigConditions.INSTALLATION_DISK_NOT_FOUND,
            ConfigConditions.AGENT_UPDATE_FAILED,
            ConfigConditions.AGENT_SPEC_REFUSED,
            ConfigConditions.AGENT_DISCONNECTED,
            ConfigConditions.AGENT_VALIDATION_FAILED,
            ConfigConditions.INSTALLATION_FAILED);

    private ConfigFailures() {}

    /** Whether a condition says why an installation does not start with the host; a failed installation has started. */
    public static boolean holdsUp(Condition condition) {
        return switch (condition.type()) {
            case ConfigConditions.READY ->
                !condition.status().equals(Condition.TRUE)
                        && REASONS.contains(condition.reason())
                        && !condition.reason().equals(ConfigConditions.INSTALLATION_FAILED);
            case ConfigConditions.AGENT_APPROVED -> condition.reason().equals(ConfigConditions.DUPLICATE_AGENT);
            default -> false;
        };
    }
}
