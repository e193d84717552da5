package io.capoa.controlplane.install;

import java.util.List;
import java.util.Optional;

/**
 * The IP family that a list of networks or addresses begins with. assisted-service demands that all lists of a cluster begin
 * with the same (internal/network, ComputePrimaryIPStack).
 *
 * @param field the list, for messages
 * @param first its first entry
 */
public record FirstFamily(String field, AddressBlock first) {

    /** That of a list; empty for an empty one. */
    public static Optional<FirstFamily> of(String field, List<AddressBlock> blocks) {
        return blocks.isEmpty() ? Optional.empty() : Optional.of(new FirstFamily(field, blocks.getFirst()));
    }

    /** What is wrong with this list beside another, as the end of a sentence that begins with the field. */
    public Optional<String> problem(FirstFamily other) {
        return first.sameFamily(other.first)
                ? Optional.empty()
                : Optional.of("begins with %s, but %s with %s: put the same IP family first in every list"
                        .formatted(first.family(), other.field, other.first.family()));
    }
}
