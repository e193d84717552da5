package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;

/** A lab runs with the state folder where none may, or none where one has to. */
final class StateConflict extends ClusterException {

    private static final long serialVersionUID = 1L;

    StateConflict(String message) {
        super(message);
    }
}
