package io.capoa.controlplane.workload;

import static io.capoa.controlplane.workload.ControlPlaneHealths.healthy;
import static io.capoa.controlplane.workload.ControlPlaneHealths.members;
import static io.capoa.controlplane.workload.ControlPlaneHealths.noConnection;
import static io.capoa.controlplane.workload.ControlPlaneHealths.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthRoundsTest {

    private static final Map<String, Boolean> READY = Map.of("m-0", true);

    private final HealthRounds rounds = new HealthRounds();
    private ControlPlaneHealth truth = healthy();
    private boolean serves = true;
    private int snapshots;
    private int probes;

    @Test
    void whileAllIsWell_everyThirdRoundReadsAll() {
        for (int round = 0; round < 7; round++) {
            assertThat(next(READY)).isEqualTo(truth);
        }
        assertThat(snapshots).isEqualTo(3);
        assertThat(probes).as("one before each snapshot but the first").isEqualTo(6);
    }

    @Test
    void anApiServerThatIsNotReady_isReadAtOnce() {
        next(READY);
        serves = false;
        truth = noConnection();
        assertThat(next(READY)).isEqualTo(truth);
        assertThat(next(READY)).isEqualTo(truth);
        serves = true;
        truth = healthy();
        assertThat(next(READY)).isEqualTo(truth);
    }

    @Test
    void whatIsNotWell_isReadEachTime() {
        truth = with(members(true, false, true));
        next(READY);
        next(READY);
        truth = healthy();
        assertThat(next(READY)).isEqualTo(truth);
        assertThat(probes).isZero();
    }

    @Test
    void aMachineThatIsNoLongerReady_hasAllReadWithTheNextQuery() {
        next(READY);
        truth = with(members(true, false, true));
        assertThat(next(READY)).isEqualTo(healthy());
        assertThat(next(Map.of("m-0", false))).isEqualTo(truth);
    }

    private ControlPlaneHealth next(Map<String, Boolean> machines) {
        return rounds.next(
                machines,
                () -> {
                    snapshots++;
                    return truth;
                },
                () -> {
                    probes++;
                    return new ApiServerReadiness(serves);
                });
    }
}
