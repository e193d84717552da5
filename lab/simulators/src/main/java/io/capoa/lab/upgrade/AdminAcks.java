package io.capoa.lab.upgrade;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gates that an administrator acknowledges before the next minor release. */
public final class AdminAcks {

    private static final String TYPE = "Upgradeable";
    private static final Pattern KEY = Pattern.compile("ack-(\\d+\\.\\d+)-.*");

    private AdminAcks() {}

    /**
     * The condition of a gate that is not acknowledged; empty if none blocks.
     *
     * @param gates data of ConfigMap {@code openshift-config-managed/admin-gates}; empty if it does not exist
     * @param acks data of ConfigMap {@code openshift-config/admin-acks}; empty if it does not exist
     */
    public static Optional<Condition> blocker(
            Optional<Map<String, String>> gates, Optional<Map<String, String>> acks, String running) {
        if (gates.isEmpty()) {
            return no("UnableToAccessAdminGatesConfigMap", "admin-gates ConfigMap not found.");
        }
        if (acks.isEmpty()) {
            return no("UnableToAccessAdminAcksConfigMap", "admin-acks ConfigMap not found.");
        }
        String stream = Version.of(running).map(Version::stream).orElse("");
        for (Map.Entry<String, String> gate : new TreeMap<>(gates.get()).entrySet()) {
            Matcher key = KEY.matcher(gate.getKey());
            if (!key.matches()) {
                return no(
                        "AdminAckConfigMapGateNameError",
                        "admin-gates configmap gate name %s has invalid format".formatted(gate.getKey()));
            }
            if (gate.getValue().isEmpty()) {
                return no(
                        "AdminAckConfigMapGateValueError",
                        "admin-gates configmap gate %s must contain a non-empty value.".formatted(gate.getKey()));
            }
            if (key.group(1).equals(stream) && !"true".equals(acks.get().get(gate.getKey()))) {
                return no("AdminAckRequired", gate.getValue());
            }
        }
        return Optional.empty();
    }

    private static Optional<Condition> no(String reason, String message) {
        return Optional.of(Condition.no(TYPE, reason, message));
    }
}
