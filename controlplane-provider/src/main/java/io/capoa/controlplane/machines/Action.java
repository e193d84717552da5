package io.capoa.controlplane.machines;

import io.capoa.api.contract.Machine;

/** What is done now to the control plane's Machines: at most one change. */
public sealed interface Action {

    /** Nothing is left to do. */
    record Nothing() implements Action {}

    /** Ask the cluster about etcd, then decide again. */
    record Ask() implements Action {}

    /**
     * Create Machines.
     *
     * @param count how many
     * @param arbiters how many of them as arbiters
     */
    record Create(int count, int arbiters) implements Action {
        public Create(int count) {
            this(count, 0);
        }
    }

    /** Delete this Machine. */
    record Delete(Machine machine) implements Action {}

    /** Wait: another operation or a failure prevents a change; the message has the remedy. */
    record Defer(String message) implements Action {}
}
