package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;

/**
 * An entry of {@code status.addresses} of a Machine or infrastructure machine.
 *
 * @param type {@code Hostname}, {@code InternalIP}, …; empty if absent
 * @param address empty if absent
 */
public record MachineAddress(String type, String address) {

    static List<MachineAddress> of(GenericKubernetesResource machine) {
        return Fields.list(machine, "status", "addresses").stream()
                .map(entry -> new MachineAddress(text(entry, "type"), text(entry, "address")))
                .toList();
    }

    private static String text(Object entry, String field) {
        return Fields.any(entry, field) instanceof String text ? text : "";
    }
}
