package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.UpgradeSettings;
import io.capoa.controlplane.upgrade.PoolPauses.PoolPatch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolPausesTest {

    @Test
    void aPoolOfTheSpec_isPausedOnce_andOneThatLeftItGoesOn() {
        assertThat(changes(List.of("worker"), pool("worker", false, false), pool("infra", false, false)))
                .containsExactly(new PoolPatch("worker", true));
        assertThat(changes(List.of("worker"), pool("worker", true, true))).isEmpty();
        assertThat(changes(List.of(), pool("worker", true, true))).containsExactly(new PoolPatch("worker", false));
    }

    @Test
    void aPauseOfTheUser_stays_andTheMasterIsNeverPaused() {
        assertThat(changes(List.of(), pool("worker", true, false))).isEmpty();
        assertThat(changes(List.of("worker"), pool("worker", true, false))).isEmpty();
        assertThat(changes(List.of("master"), pool("master", false, false))).isEmpty();
    }

    @Test
    void aPauseThatTheUserEndedByHand_isSetAgainWhileTheSpecAsks_elseOnlyTheMarkGoes() {
        assertThat(changes(List.of("worker"), pool("worker", false, true)))
                .containsExactly(new PoolPatch("worker", true));
        assertThat(changes(List.of(), pool("worker", false, true))).containsExactly(new PoolPatch("worker", false));
    }

    @Test
    void beforeTheClusterHasAnswered_nothingIsChanged() {
        assertThat(PoolPauses.changes(request(List.of("worker")), null)).isEmpty();
        assertThat(PoolPauses.unknown(request(List.of("worker")), null)).isNull();
    }

    @Test
    void aNameThatIsNoPool_isNamed() {
        assertThat(PoolPauses.unknown(request(List.of("wroker")), state(pool("worker", false, false))))
                .startsWith("spec.upgrade.pausedWorkerPools names wroker,");
        assertThat(PoolPauses.unknown(request(List.of("worker")), state(pool("worker", false, false))))
                .isNull();
    }

    @Test
    void thePatch_marksThePause_andRemovesTheMark() {
        assertThat(new PoolPatch("worker", true).patch("cp"))
                .containsEntry("spec", Map.of("paused", true))
                .containsEntry(
                        "metadata",
                        Map.of("annotations", Map.of("controlplane.cluster.x-k8s.io/paused-for-upgrade", "cp")));
        assertThat(new PoolPatch("worker", false).patch("cp").toString())
                .contains("paused-for-upgrade=null")
                .contains("paused=false");
    }

    private static List<PoolPatch> changes(List<String> wanted, PoolState... pools) {
        return PoolPauses.changes(request(wanted), state(pools));
    }

    private static ClusterUpgradeState state(PoolState... pools) {
        return ClusterUpgrades.state(
                ClusterUpgrades.atRest(""), List.of(pools), new AdminGates(new TreeMap<>(), Set.of()));
    }

    private static PoolState pool(String name, boolean paused, boolean held) {
        return new PoolState(name, paused, held, "", 2, 2, true);
    }

    private static UpgradeRequest request(List<String> pools) {
        return new UpgradeRequest(
                "4.20.5",
                new UpgradeSettings(null, null, null, null, null, pools),
                null,
                RequestedKubernetes.NONE,
                new TargetImage.Resolving(),
                UpgradeConsent.NONE);
    }
}
