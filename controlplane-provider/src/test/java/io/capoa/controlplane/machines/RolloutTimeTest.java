package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.testing.Objects;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RolloutTimeTest {

    @Test
    void itIsRead_withAndWithoutFraction() {
        assertThat(RolloutTime.of(controlPlane("{after: '2026-11-22T20:00:00Z'}")))
                .contains(Instant.parse("2026-11-22T20:00:00Z"));
        assertThat(RolloutTime.of(controlPlane("{after: '2026-11-22T20:00:00.5Z'}")))
                .contains(Instant.parse("2026-11-22T20:00:00.5Z"));
        assertThat(RolloutTime.of(controlPlane("{}"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-13-45T25:61:61Z", "2026-02-30T00:00:00Z", "2026-11-22T20:00:00.1234567890Z"})
    void whatIsNoTime_isIgnored_soThatTheControlPlaneIsStillReconciled(String stored) {
        assertThat(RolloutTime.of(controlPlane("{after: '" + stored + "'}"))).isEmpty();
    }

    private static OpenshiftAssistedControlPlane controlPlane(String rollout) {
        return Objects.read(OpenshiftAssistedControlPlane.class, """
                metadata: {name: cp}
                spec:
                  distributionVersion: 4.20.3
                  machineTemplate: {spec: {infrastructureRef: {apiGroup: a, kind: T, name: t}}}
                  rollout: %s
                """.formatted(rollout));
    }
}
