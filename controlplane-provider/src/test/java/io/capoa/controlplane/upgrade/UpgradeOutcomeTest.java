package io.capoa.controlplane.upgrade;

import static io.capoa.controlplane.upgrade.ClusterUpgrades.AT_4_20_3;
import static io.capoa.controlplane.upgrade.ClusterUpgrades.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.testing.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When no Machine is up to date, because its cluster does not run the wanted release. */
class UpgradeOutcomeTest {

    private static final String MOVING = """
            status:
              desired: {version: %s}
              history: [{state: Partial, version: %s}, {state: Completed, version: 4.20.3}]
            """;

    @Test
    void fromTheRequestToTheEnd_theReleasesAreNamed() {
        assertThat(outdated("4.20.3", AT_4_20_3)).isEmpty();
        assertThat(outdated("4.20.5", AT_4_20_3))
                .contains("the cluster runs 4.20.3, spec.distributionVersion asks for 4.20.5");
        assertThat(outdated("4.20.5", state(MOVING.formatted("4.20.5", "4.20.5"))))
                .contains("the cluster runs 4.20.3, spec.distributionVersion asks for 4.20.5");
        assertThat(outdated("4.20.3", state(MOVING.formatted("4.20.5", "4.20.5"))))
                .contains("the cluster is being upgraded to 4.20.5, spec.distributionVersion asks for 4.20.3");
        assertThat(outdated("4.20.3", state(MOVING.formatted("4.20.3", "4.20.3"))))
                .contains("the cluster goes back to 4.20.3 after another release had begun");
    }

    @Test
    void whileTheClusterDoesNotAnswer_whatWasReportedStays() {
        OpenshiftAssistedControlPlane controlPlane = Objects.identity().controlPlane();
        UpgradeOutcome unreachable = new UpgradeOutcome(
                new UpgradeDecision.Unreachable("no connection"), ClusterUpgradeState.unreachable("no connection"));

        assertThat(UpgradeOutcome.outdated(controlPlane, unreachable)).isEmpty();
        report(controlPlane, "False", "UpgradeInProgress");
        assertThat(UpgradeOutcome.outdated(controlPlane, unreachable)).contains("as reported");
        assertThat(UpgradeOutcome.outdated(controlPlane, null)).contains("as reported");
        report(controlPlane, "False", "MachinesNotUpToDate");
        assertThat(UpgradeOutcome.outdated(controlPlane, unreachable))
                .as("of Machines, which each reconcile compares")
                .isEmpty();
    }

    private static Optional<String> outdated(String target, ClusterUpgradeState seen) {
        return new UpgradeOutcome(new UpgradeDecision.AtRest(), seen).outdated(target);
    }

    private static void report(OpenshiftAssistedControlPlane controlPlane, String status, String reason) {
        Condition known = new Condition("MachinesUpToDate", status, reason, "as reported", "2026-01-01T00:00:00Z", 1L);
        controlPlane.setStatus(Objects.status("replicas: 3", known));
    }
}
