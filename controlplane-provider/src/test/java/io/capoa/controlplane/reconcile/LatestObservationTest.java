package io.capoa.controlplane.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often the caches are read again in a reconcile. */
class LatestObservationTest {

    private final AtomicLong requests = new AtomicLong(7);
    private final AtomicInteger observations = new AtomicInteger();
    private final ControlPlaneObservation first = observation();
    private final LatestObservation latest = new LatestObservation(first, requests::get, controlPlane -> {
        observations.incrementAndGet();
        return observation();
    });

    @Test
    void withoutAWrite_nothingIsObservedAgain() {
        assertThat(latest.get()).isSameAs(first);
        assertThat(observations).hasValue(0);
    }

    @Test
    void aWrite_isFollowedByOneObservation_forAllLaterSteps() {
        requests.addAndGet(2);
        ControlPlaneObservation second = latest.get();
        assertThat(second).isNotSameAs(first);
        assertThat(latest.get()).isSameAs(second);
        assertThat(observations).hasValue(1);

        requests.incrementAndGet();
        assertThat(latest.get()).isNotSameAs(second);
        assertThat(observations).hasValue(2);
    }

    private static ControlPlaneObservation observation() {
        OpenshiftAssistedControlPlane controlPlane =
                Objects.read(OpenshiftAssistedControlPlane.class, "metadata: {namespace: ns, name: cp}\nspec: {}");
        return ControlPlaneObservations.installed(new ControlPlaneIdentity(controlPlane, "cp"));
    }
}
