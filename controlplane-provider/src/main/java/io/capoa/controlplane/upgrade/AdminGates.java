package io.capoa.controlplane.upgrade;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * Changes of the next minor version that an administrator has to acknowledge (ConfigMaps
 * {@code openshift-config-managed/admin-gates} and {@code openshift-config/admin-acks}).
 *
 * @param gates texts for people by key {@code ack-<minor version>-<text>}
 * @param given keys that have been acknowledged
 */
public record AdminGates(SortedMap<String, String> gates, Set<String> given) {

    public AdminGates {
        given = Set.copyOf(given);
    }

    /** Keys of the gates of a running minor version, such as {@code 4.20}, that have not been acknowledged. */
    List<String> open(String minor) {
        return gates.keySet().stream()
                .filter(key -> key.startsWith("ack-" + minor + "-"))
                .filter(key -> !given.contains(key))
                .toList();
    }
}
