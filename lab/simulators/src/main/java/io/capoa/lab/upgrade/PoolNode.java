package io.capoa.lab.upgrade;

import java.time.Instant;
import java.util.Comparator;

/**
 * A node of a machine config pool.
 *
 * @param current configuration that it has
 * @param desired configuration that it is being given
 * @param since when the phase began
 * @param held whether it stays in its phase
 */
public record PoolNode(
        String name,
        Place place,
        String current,
        String desired,
        Phase phase,
        Instant since,
        boolean ready,
        boolean held) {

    /** Nodes are updated by zone, then the oldest first. */
    static final Comparator<PoolNode> ORDER = Comparator.comparing(
                    (PoolNode node) -> node.place().zone())
            .thenComparing(node -> node.place().created())
            .thenComparing(PoolNode::name);

    /**
     * What decides when a node's turn comes.
     *
     * @param zone empty if it has none
     * @param created creation time of the Node
     */
    public record Place(String zone, String created) {}

    /** Phase of a node's update. */
    public enum Phase {
        DONE("Done"),
        DRAINING("Working"),
        REBOOTING("Rebooting"),
        DEGRADED("Degraded");

        private final String annotation;

        Phase(String annotation) {
            this.annotation = annotation;
        }

        /** Value of the Node's annotation {@code state}. */
        public String annotation() {
            return annotation;
        }

        /** The phase with that annotation; {@link #DONE} if there is none. */
        public static Phase of(String annotation) {
            for (Phase phase : values()) {
                if (phase.annotation.equals(annotation)) {
                    return phase;
                }
            }
            return DONE;
        }
    }

    boolean isDone() {
        return phase == Phase.DONE;
    }

    boolean has(String config) {
        return isDone() && current.equals(config);
    }

    boolean isUnavailable() {
        return !ready || !isDone();
    }
}
