package io.capoa.lab.page;

import java.util.List;

/**
 * What the page lists, as it is sent in JSON after each change: a line for each cluster and host. It has no content of
 * Secrets; {@link Detail} has what an object opens to.
 *
 * @param stale why what is shown may be out of date, a sentence each; empty if it is not
 * @param clusters by name
 * @param events newest first
 */
public record PageState(List<String> stale, List<ClusterLine> clusters, List<HostLine> hosts, List<EventLine> events) {

    /** What to look at first. */
    public enum Group {
        TROUBLE,
        PROGRESS,
        READY
    }

    /**
     * A cluster.
     *
     * @param percent of the installation, -1 before it starts and when the cluster is ready
     * @param controlPlane ready and wanted Machines, such as {@code 2/3}
     * @param says what is wrong with the remedy, or what it waits for, line by line; empty if it is ready
     */
    public record ClusterLine(
            String namespace,
            String name,
            Group group,
            String state,
            int percent,
            String controlPlane,
            String workers,
            List<String> says) {}

    /**
     * A host.
     *
     * @param machine empty if none has it
     * @param stage of its installation, or phase of its Machine
     * @param percent of its installation, -1 before it starts
     * @param problem empty if none is known
     */
    public record HostLine(
            String namespace,
            String name,
            Group group,
            String state,
            boolean on,
            String machine,
            String stage,
            int percent,
            String problem) {}

    /** An Event of Kubernetes; the object is {@code Kind/namespace/name}. */
    public record EventLine(String time, String type, String reason, String object, String message) {}
}
