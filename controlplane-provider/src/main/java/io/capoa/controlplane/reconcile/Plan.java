package io.capoa.controlplane.reconcile;

import io.capoa.api.contract.Cluster;
import io.capoa.controlplane.steps.install.InputsStep.Inputs;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import java.util.Set;

/** What a reconcile does. */
sealed interface Plan {

    /** Reconciliation is paused. */
    record Pause() implements Plan {}

    /** Created a moment ago: what is missing probably arrives before a status could be read. */
    record Settle() implements Plan {}

    /**
     * A prerequisite is missing.
     *
     * @param namedObjects objects to watch by name
     */
    record Wait(Blocker blocker, Set<Target> namedObjects) implements Plan {}

    /**
     * An input is to be checked, which is announced first.
     *
     * @param namedObjects objects to watch by name
     */
    record Announce(Blocker blocker, Set<Target> namedObjects) implements Plan {}

    /** All prerequisites are met. */
    record Apply(Cluster cluster, Inputs inputs, ReleaseState release) implements Plan {}
}
