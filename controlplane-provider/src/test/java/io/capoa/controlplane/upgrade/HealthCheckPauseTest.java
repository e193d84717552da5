package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.MachineHealthCheck;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.upgrade.HealthCheckPause.CheckPatch;
import io.capoa.controlplane.upgrade.HealthCheckPause.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which MachineHealthChecks are paused and released. */
class HealthCheckPauseTest {

    private static final String PAUSED = "cluster.x-k8s.io/paused: ''";
    private static final String MARKED = "controlplane.cluster.x-k8s.io/paused-for-upgrade: cp";

    private final MachineHealthCheck plain = check("plain", "one", "");
    private final MachineHealthCheck foreign = check("foreign", "other", "");
    private final MachineHealthCheck foreignMarked = check("foreign-marked", "other", PAUSED + ", " + MARKED);
    private final MachineHealthCheck byUser = check("by-user", "one", PAUSED);
    private final MachineHealthCheck byUs = check("by-us", "one", PAUSED + ", " + MARKED);
    private final MachineHealthCheck endedByUser = check("ended", "one", MARKED);
    private final List<MachineHealthCheck> all = List.of(plain, foreign, foreignMarked, byUser, byUs, endedByUser);

    @Test
    void whileTheClusterMoves_thoseWithoutAPauseArePaused_withTheMarker() {
        List<CheckPatch> changes = HealthCheckPause.changes(Phase.PAUSE, all, "one", "cp");
        assertThat(changes).extracting(CheckPatch::check).containsExactly(plain);
        assertThat(changes.getFirst().patch())
                .hasToString(
                        "{metadata={annotations={cluster.x-k8s.io/paused=, controlplane.cluster.x-k8s.io/paused-for-upgrade=cp}}}");
    }

    @Test
    void afterwards_thoseWithTheMarkerAreReleased_andNoOthers() {
        List<CheckPatch> changes = HealthCheckPause.changes(Phase.RELEASE, all, "one", "cp");
        assertThat(changes).extracting(CheckPatch::check).containsExactly(byUs, endedByUser);
        assertThat(changes.getFirst().patch())
                .hasToString(
                        "{metadata={annotations={cluster.x-k8s.io/paused=null, controlplane.cluster.x-k8s.io/paused-for-upgrade=null}}}");
    }

    @Test
    void whileTheClusterDoesNotAnswer_nothingChanges() {
        assertThat(HealthCheckPause.changes(Phase.KEEP, all, "one", "cp")).isEmpty();
        assertThat(phase(null)).isEqualTo(Phase.KEEP);
        UpgradeDecision unreachable = new UpgradeDecision.Unreachable("no connection");
        assertThat(phase(new UpgradeOutcome(unreachable, null))).isEqualTo(Phase.KEEP);
        assertThat(phase(new UpgradeOutcome(unreachable, ClusterUpgradeState.unreachable("no connection"))))
                .isEqualTo(Phase.KEEP);
    }

    @Test
    void nodesThatAreUpdated_holdThePause() {
        UpgradeOutcome followed = new UpgradeOutcome(new UpgradeDecision.AtRest(), ClusterUpgrades.AT_4_20_3);
        assertThat(HealthCheckPause.phase(followed, true)).isEqualTo(Phase.PAUSE);
        assertThat(HealthCheckPause.phase(followed, false)).isEqualTo(Phase.RELEASE);
    }

    private static Phase phase(@Nullable UpgradeOutcome upgrade) {
        return HealthCheckPause.phase(upgrade, false);
    }

    private static MachineHealthCheck check(String name, String cluster, String annotations) {
        return Objects.read(
                MachineHealthCheck.class,
                "metadata: {name: %s, annotations: {%s}}\nspec: {clusterName: %s}"
                        .formatted(name, annotations, cluster));
    }
}
