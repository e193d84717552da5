package io.capoa.controlplane.steps.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.release.RegistryBackoff;
import io.capoa.controlplane.steps.machines.MachineStep.Creation;
import io.capoa.controlplane.testing.Objects;
import io.capoa.lab.steady.SetClock;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Back-off of Machine creation while the API server refuses it. */
class CreationPausesTest {

    private static final Creation.Failed REFUSED = new Creation.Failed("Reason", "refused", null).after(Duration.ZERO);

    private final SetClock clock = new SetClock();
    private final CreationPauses pauses =
            new CreationPauses(clock, new RegistryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8), new Random(1)));
    private final OpenshiftAssistedControlPlane controlPlane =
            Objects.identity().controlPlane();

    @Test
    void aRefusal_isRetriedWithBackOff() {
        for (int failures = 1; failures <= 4; failures++) {
            Creation.Failed noted = (Creation.Failed) pauses.recorded(controlPlane, REFUSED);
            Duration pause = java.util.Objects.requireNonNull(noted.again());
            assertThat(pause)
                    .isBetween(Duration.ofMillis(500L << (failures - 1)), Duration.ofMillis(1000L << (failures - 1)));
            assertThat(pauses.current(controlPlane))
                    .get()
                    .extracting(failed -> failed.blocker().message())
                    .isEqualTo("refused");
            clock.advance(pause);
            assertThat(pauses.current(controlPlane)).isEmpty();
            assertThat(pauses.hasRefused(controlPlane)).isTrue();
        }
    }

    @Test
    void success_andWaitingForAnObject_clearTheBackOff() {
        Creation unused = pauses.recorded(controlPlane, REFUSED);
        unused = pauses.recorded(controlPlane, new Creation.Complete());
        assertThat(pauses.hasRefused(controlPlane)).isFalse();
        unused = pauses.recorded(controlPlane, REFUSED);
        unused = pauses.recorded(controlPlane, new Creation.Failed("Reason", "template is missing", null));
        assertThat(pauses.current(controlPlane)).isEmpty();
    }

    @Test
    void anEdit_isTriedImmediately() {
        controlPlane.getMetadata().setGeneration(1L);
        Creation unused = pauses.recorded(controlPlane, REFUSED);
        assertThat(pauses.current(controlPlane)).isPresent();
        controlPlane.getMetadata().setGeneration(2L);
        assertThat(pauses.current(controlPlane)).isEmpty();
    }

    @Test
    void aDeletedControlPlane_isForgotten() {
        Creation unused = pauses.recorded(controlPlane, REFUSED);
        pauses.forget(ResourceID.fromResource(controlPlane));
        assertThat(pauses.hasRefused(controlPlane)).isFalse();
    }
}
