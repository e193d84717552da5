package io.capoa.controlplane.workload;

/** How far a node is on its way out of its cluster. */
public sealed interface Departure {

    /** Neither node nor etcd member is left. */
    record Gone() implements Departure {}

    /**
     * It is still there.
     *
     * @param message what is waited for, as the cluster tells
     */
    record Wait(String message) implements Departure {}

    /** The cluster's API does not answer. */
    record Unreachable(String message) implements Departure {}
}
