package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts an agent's inventory ({@code mac_address}) to that of the Agent's status ({@code macAddress}). */
final class Inventory {

    private static final Map<String, String> IRREGULAR = Map.of(
            "ipv4_addresses", "ipV4Addresses", "ipv6_addresses", "ipV6Addresses", "by_id", "byID", "by_path", "byPath");

    private Inventory() {}

    static Map<String, Object> toStatus(Map<?, ?> inventory) {
        Map<String, Object> status = new LinkedHashMap<>();
        new TreeMap<Object, Object>(inventory).forEach((key, value) -> status.put(name(key.toString()), value(value)));
        // As the service's own type has it: `json:"eligible,omitempty"`.
        status.remove("eligible", false);
        return status;
    }

    /** The ids of the disks. */
    static List<String> disks(Map<String, Object> inventory) {
        return inventory.get("disks") instanceof List<?> disks
                ? disks.stream()
                        .map(disk -> String.valueOf(Fields.any(disk, "id")))
                        .toList()
                : List.of();
    }

    private static Object value(Object value) {
        return switch (value) {
            case Map<?, ?> map -> toStatus(map);
            case List<?> list -> list.stream().map(Inventory::value).toList();
            default -> value;
        };
    }

    private static String name(String snake) {
        String irregular = IRREGULAR.get(snake);
        if (irregular != null) {
            return irregular;
        }
        StringBuilder camel = new StringBuilder();
        for (String word : snake.split("_", -1)) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return camel.toString();
    }
}
