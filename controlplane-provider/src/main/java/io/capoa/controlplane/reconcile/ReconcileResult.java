package io.capoa.controlplane.reconcile;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a reconcile ends.
 *
 * @param status to write if it differs; {@code null} leaves status and watched objects as they are
 * @param namedObjects objects whose change requeues the control plane although no informer selects them
 * @param requeue when to reconcile again without an event; {@code null} if only events count
 */
record ReconcileResult(
        @Nullable OpenshiftAssistedControlPlaneStatus status,
        Set<Target> namedObjects,
        @Nullable Duration requeue) {

    static ReconcileResult report(OpenshiftAssistedControlPlaneStatus status) {
        return new ReconcileResult(status, Set.of(), null);
    }

    static ReconcileResult unchanged(Duration requeue) {
        return new ReconcileResult(null, Set.of(), requeue);
    }
}
