package io.capoa.controlplane.machines;

import org.jspecify.annotations.Nullable;

/**
 * How many voting members etcd has to have left after a removal.
 *
 * <p>The etcd operator rolls out a new member only while there is one healthy member more than the majority, and at least
 * three. With two members left, a replacement would therefore never join: a healthy member stays until its replacement
 * has joined. A broken member is in the way of any new one and goes first.
 *
 * @param broken after the removal of a broken member: the majority of the wanted replicas
 * @param healthy after the removal of a healthy member
 */
public record Floor(int broken, int healthy) {

    private static final int SMALLEST_THAT_GROWS = 3;

    /** The floor of a control plane; {@code null} replicas are not known, and any member but the last may go. */
    public static Floor of(@Nullable Integer replicas) {
        int majority = replicas == null ? 1 : replicas / 2 + 1;
        return new Floor(
                majority, replicas == null ? majority : Math.max(majority, Math.min(SMALLEST_THAT_GROWS, replicas)));
    }

    /** The floor where the quorum guard of the etcd operator is overridden during the replacement. */
    public Floor withoutGuard() {
        return new Floor(broken, broken);
    }
}
