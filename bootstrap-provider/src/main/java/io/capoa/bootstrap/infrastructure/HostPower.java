package io.capoa.bootstrap.infrastructure;

import java.util.Map;

/**
 * Power of a host that has to stay off until it is provisioned again.
 *
 * @param isOff whether it is off and stays off
 * @param patch JSON merge patch of {@link Host#object} that powers it off; empty if nothing is to be changed
 * @param message what is waited for, or how a host that is off can be taken again; may be empty
 */
public record HostPower(boolean isOff, Map<String, Object> patch, String message) {

    static HostPower off() {
        return new HostPower(true, Map.of(), "");
    }

    static HostPower waiting(String message) {
        return new HostPower(false, Map.of(), message);
    }
}
