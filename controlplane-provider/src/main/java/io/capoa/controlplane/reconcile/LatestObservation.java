package io.capoa.controlplane.reconcile;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Observes again once something has been written, so that later steps see it. Other changes trigger a reconcile. */
final class LatestObservation {

    private final LongSupplier requests;
    private final Function<OpenshiftAssistedControlPlane, ControlPlaneObservation> observer;
    private ControlPlaneObservation latest;
    private long seen;

    /** @param requests number of writes that were sent so far */
    LatestObservation(
            ControlPlaneObservation first,
            LongSupplier requests,
            Function<OpenshiftAssistedControlPlane, ControlPlaneObservation> observer) {
        this.requests = requests;
        this.observer = observer;
        this.latest = first;
        this.seen = requests.getAsLong();
    }

    ControlPlaneObservation get() {
        long now = requests.getAsLong();
        if (now != seen) {
            latest = observer.apply(latest.controlPlane());
            seen = now;
        }
        return latest;
    }
}
