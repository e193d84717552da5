package io.capoa.lab.page;

import java.util.List;

/**
 * All that the page shows, as it is sent in JSON. It has no content of Secrets and no spec of any object.
 *
 * @param events newest first
 */
public record PageState(List<ClusterCard> clusters, List<Rack> racks, List<EventLine> events) {

    /**
     * A cluster.
     *
     * @param percent of the installation, -1 before it starts
     * @param controlPlane ready and wanted Machines, such as {@code 2/3}
     * @param waitingFor a line for each condition that is not true; empty when the cluster is ready
     * @param failure what failed, line by line, with the remedy
     */
    public record ClusterCard(
            String namespace,
            String name,
            String state,
            int percent,
            String controlPlane,
            String workers,
            boolean ready,
            List<String> waitingFor,
            List<String> failure,
            List<TreeLine> objects,
            List<Track> timeline) {}

    /**
     * An object in the tree.
     *
     * @param level distance from the Cluster
     */
    public record TreeLine(int level, String kind, String name, List<ConditionLine> conditions) {}

    /**
     * A condition.
     *
     * @param tone {@code good}, {@code bad} or {@code neutral}
     */
    public record ConditionLine(String type, String status, String reason, String message, String since, String tone) {}

    /** What one object went through, in the order of time. */
    public record Track(String name, List<Milestone> milestones) {}

    /**
     * The end of a step.
     *
     * @param time RFC 3339
     */
    public record Milestone(String label, String time) {}

    /** The hosts of a namespace. */
    public record Rack(String namespace, List<HostCard> hosts) {}

    /**
     * A host.
     *
     * @param percent of its installation, -1 before it starts
     * @param problem empty if none is known
     */
    public record HostCard(
            String name, String state, boolean on, String machine, String stage, int percent, String problem) {}

    /** An Event of Kubernetes. */
    public record EventLine(String time, String type, String reason, String object, String message) {}
}
