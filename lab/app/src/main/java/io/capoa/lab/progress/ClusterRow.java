package io.capoa.lab.progress;

import java.util.List;

/**
 * One cluster as lines of the table.
 *
 * @param state of the installation, in one word or two
 * @param percent of the installation, -1 before it starts
 * @param waitingFor one line for each condition that is not true; empty when the cluster is ready
 * @param failure what failed in the installation, line by line, with the remedy; empty if nothing did
 */
public record ClusterRow(
        String namespace,
        String name,
        String state,
        int percent,
        Replicas replicas,
        boolean ready,
        List<String> waitingFor,
        List<MachineRow> machines,
        List<String> failure) {

    /** A cluster without a failure. */
    public ClusterRow(
            String namespace,
            String name,
            String state,
            int percent,
            Replicas replicas,
            boolean ready,
            List<String> waitingFor,
            List<MachineRow> machines) {
        this(namespace, name, state, percent, replicas, ready, waitingFor, machines, List.of());
    }

    /** Ready and desired Machines of the control plane and of all MachineDeployments. */
    public record Replicas(Count controlPlane, Count workers) {}

    /** Ready and desired replicas. */
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
