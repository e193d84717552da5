package io.capoa.lab.upgrade;

import java.util.List;
import java.util.Optional;

/**
 * What a cluster knows of the updates that it may install.
 *
 * @param retrieved condition RetrievedUpdates
 * @param available updates without a known risk; empty if none could be retrieved
 * @param conditional updates that are not recommended
 */
public record AvailableUpdates(Condition retrieved, List<Payload> available, List<Conditional> conditional) {

    /**
     * An update with a risk.
     *
     * @param risk its name, such as {@code SlowBoot}
     */
    public record Conditional(Payload payload, String risk) {}

    public AvailableUpdates {
        available = List.copyOf(available);
        conditional = List.copyOf(conditional);
    }

    /** No update, for the reason in the condition. */
    public static AvailableUpdates none(Condition retrieved) {
        return new AvailableUpdates(retrieved, List.of(), List.of());
    }

    boolean isAvailable(Payload payload) {
        return available.stream().anyMatch(known -> known.digest().equals(payload.digest()));
    }

    Optional<String> riskOf(Payload payload) {
        return conditional.stream()
                .filter(known -> known.payload().digest().equals(payload.digest()))
                .map(Conditional::risk)
                .findFirst();
    }
}
