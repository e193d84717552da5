package io.capoa.lab.progress;

import java.util.List;

/**
 * One cluster as lines of the table.
 *
 * @param state one word or two for where it stands
 * @param percent of the installation, -1 before it starts
 * @param waitingFor why it is not ready, a line a condition, empty when it is ready
 */
public record ClusterRow(
        String namespace,
        String name,
        String state,
        int percent,
        Count controlPlane,
        Count workers,
        boolean ready,
        List<String> waitingFor,
        List<MachineRow> machines) {

    /** How many of how many wanted. */
    public record Count(int ready, int wanted) {
        public boolean complete() {
            return ready == wanted;
        }

        @Override
        public String toString() {
            return ready + "/" + wanted;
        }
    }

    public String title() {
        return namespace + "/" + name;
    }
}
