package io.capoa.bootstrap.config.plan;

import io.capoa.api.conditions.EventReasons;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.runtime.events.RecordedEvent;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds bootstrap data that is too large for the user data of a cloud. Which cloud a Machine is of is not known here, and some infrastructure providers store the data elsewhere;
 * so nothing is held up.
 */
public final class UserDataLimits {

    /**
     * A cloud's limit.
     *
     * @param bytes of data before any encoding
     */
    private record Limit(String cloud, int bytes) {}

    /**
     * In ascending order. AWS: "Work with instance user data" (16 KB in raw form). OpenStack: "Provide user data to
     * instances" (65535 bytes in base64). Azure: VirtualMachineOSProfile.customData (65535 bytes when decoded). GCP:
     * Metadata.items[].value of the REST API (262144 bytes).
     */
    private static final List<Limit> LIMITS = List.of(
            new Limit("AWS", 16 << 10),
            new Limit("OpenStack", 65535 / 4 * 3),
            new Limit("Azure", 65535),
            new Limit("GCP", 256 << 10));

    private UserDataLimits() {}

    /** A warning if the plan stores the discovery ignition itself as user data, and it is too large. */
    public static Optional<RecordedEvent> warning(ConfigObservation seen, ConfigPlan.Data data) {
        Secret secret = data.secret();
        if (secret == null
                || !seen.infrastructure().hasUserData()
                || seen.config().getSpec().refersToDiscoveryIgnition()) {
            return Optional.empty();
        }
        int bytes = Base64.getDecoder().decode(secret.getData().get("value")).length;
        String exceeded = LIMITS.stream()
                .filter(limit -> bytes > limit.bytes())
                .map(limit -> limit.cloud() + " (" + limit.bytes() + " bytes)")
                .collect(Collectors.joining(", "));
        return exceeded.isEmpty()
                ? Optional.empty()
                : Optional.of(RecordedEvent.warning(
                        EventReasons.USER_DATA_TOO_LARGE,
                        "Secret " + secret.getMetadata().getName() + " has " + bytes
                                + " bytes of bootstrap data, more than the user data may have on " + exceeded
                                + ": replace the Machine by one of a template with discoveryIgnition Reference"));
    }
}
