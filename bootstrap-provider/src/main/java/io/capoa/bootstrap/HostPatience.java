package io.capoa.bootstrap;

import java.time.Duration;
import java.util.Map;

/** How long a host may take from the end of its provisioning until it registers: firmware, boot, network. */
final class HostPatience {

    private static final String VARIABLE = "HOST_REGISTRATION_SECONDS";
    private static final Duration DEFAULT = Duration.ofMinutes(20);

    private HostPatience() {}

    /**
     * Reads {@code HOST_REGISTRATION_SECONDS}; 20 minutes where it is not set.
     *
     * @throws IllegalArgumentException that names the variable, if it is no number of seconds
     */
    static Duration fromEnvironment(Map<String, String> environment) {
        String value = environment.getOrDefault(VARIABLE, "").strip();
        if (value.isEmpty()) {
            return DEFAULT;
        }
        if (!value.matches("[0-9]{1,6}")) {
            throw new IllegalArgumentException(VARIABLE + " is no number of seconds, such as 1200");
        }
        return Duration.ofSeconds(Long.parseLong(value));
    }
}
