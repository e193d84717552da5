package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ClusterUpgrades;
import io.capoa.controlplane.upgrade.PoolState;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions of an upgrade, and when a requested version is reported as not running. */
class VersionConditionsTest {

    private static final ClusterUpgradeState UPGRADED = ClusterUpgrades.state("""
            status:
              history:
              - {state: Completed, version: 4.20.5, image: "r@sha256:5"}
              - {state: Completed, version: 4.20.3, image: "r@sha256:3"}
            """);

    @Test
    void anUpgradeThatMayNotStart_isNamedWithItsReason_andNothingElseIsSaidOfIt() {
        Conditions conditions = set(
                List.of(),
                new UpgradeDecision.Blocked(new Blocker("UpgradeNotOffered", "choose another")),
                ClusterUpgrades.AT_4_20_3);

        assertThat(condition(conditions, "UpgradeAvailable")).isEqualTo("False UpgradeNotOffered choose another");
        assertThat(condition(conditions, "UpgradeCompleted")).isEmpty();
        assertThat(condition(conditions, "MachinesUpToDate"))
                .isEqualTo("False UpgradeNotOffered the cluster runs 4.20.3, spec.distributionVersion asks for 4.20.5");
    }

    @Test
    void anUpgradeOnItsWay_saysHowFarItIs_andIsAvailable() {
        Conditions conditions =
                set(List.of(), new UpgradeDecision.Moving("12 of 33 operators"), ClusterUpgrades.AT_4_20_3);

        assertThat(condition(conditions, "UpgradeAvailable")).isEqualTo("True UpgradeAvailable ");
        assertThat(condition(conditions, "UpgradeCompleted")).isEqualTo("False UpgradeInProgress 12 of 33 operators");
    }

    @Test
    void anApiServerThatIsAway_changesNoConditionOfAnUpgrade() {
        List<Condition> before = set(
                        List.of(), new UpgradeDecision.Moving("12 of 33 operators"), ClusterUpgrades.AT_4_20_3)
                .toList();

        Conditions conditions = set(
                before,
                new UpgradeDecision.Unreachable("no connection"),
                ClusterUpgradeState.unreachable("no connection"));

        assertThat(condition(conditions, "UpgradeAvailable")).isEqualTo("True UpgradeAvailable ");
        assertThat(condition(conditions, "UpgradeCompleted")).isEqualTo("False UpgradeInProgress 12 of 33 operators");
    }

    @Test
    void aWantedUpgradeOfAClusterThatDoesNotAnswer_isUnknown() {
        Conditions conditions = set(
                List.of(),
                new UpgradeDecision.Unreachable("no connection"),
                ClusterUpgradeState.unreachable("no connection"));

        assertThat(condition(conditions, "UpgradeAvailable"))
                .isEqualTo("Unknown UpgradeClusterUnreachable no connection");
    }

    @Test
    void aCompleteUpgrade_isReported_andAnInstallationIsNone() {
        assertThat(condition(set(List.of(), new UpgradeDecision.AtRest(), UPGRADED), "UpgradeCompleted"))
                .isEqualTo("True UpgradeCompleted ");
        assertThat(condition(
                        set(List.of(), new UpgradeDecision.AtRest(), ClusterUpgrades.AT_4_20_3), "UpgradeCompleted"))
                .isEmpty();
    }

    @Test
    void workersThatFollow_areCountedInTheMessage() {
        ClusterUpgradeState following = ClusterUpgradeState.of(
                UPGRADED.version(),
                List.of(
                        new PoolState("master", false, false, "", 3, 3, true),
                        new PoolState("worker", false, false, "", 2, 1, false)));

        assertThat(condition(set(List.of(), new UpgradeDecision.AtRest(), following), "UpgradeCompleted"))
                .isEqualTo("True UpgradeCompleted worker 1 of 2 nodes");
    }

    @Test
    void anUpgradeThatMayNotGoOn_leavesNoTraceOfItsFirstSteps() {
        List<Condition> before = set(
                        List.of(), new UpgradeDecision.SetChannel("stable-4.21"), ClusterUpgrades.AT_4_20_3)
                .toList();

        Conditions conditions = set(
                before,
                new UpgradeDecision.Blocked(new Blocker("UpgradeNotRecommended", "risk")),
                ClusterUpgrades.AT_4_20_3);

        assertThat(condition(conditions, "UpgradeCompleted")).isEmpty();
    }

    @Test
    void anUpgradeByOthers_isReportedBesideTheRefusalOfOurs() {
        ClusterUpgradeState moving = ClusterUpgrades.state("""
            status:
              desired: {version: 4.20.6}
              history: [{state: Partial, version: 4.20.6}, {state: Completed, version: 4.20.3}]
            """);

        Conditions conditions =
                set(List.of(), new UpgradeDecision.Blocked(new Blocker("UpgradeToOtherRelease", "wait")), moving);

        assertThat(condition(conditions, "UpgradeCompleted"))
                .isEqualTo("False UpgradeInProgress upgrading to 4.20.6: the cluster has begun");
    }

    private static Conditions set(List<Condition> before, UpgradeDecision decision, ClusterUpgradeState seen) {
        Conditions conditions = Conditions.after(before, 1L, Clock.systemUTC());
        VersionConditions.upgrade(conditions, new UpgradeOutcome(decision, seen), "4.20.5", "4.20.3");
        return conditions;
    }

    private static String condition(Conditions conditions, String type) {
        return conditions
                .get(type)
                .map(known -> known.status() + " " + known.reason() + " " + known.message())
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource({
        "v1.33.5, v1.33.5, false",
        "1.33.5, v1.33.5+b49f9d1, false",
        "v1.33.5, , false",
        ", v1.33.5, false",
        "v1.33.6, v1.33.5, true"
    })
    void anotherKubernetesVersionIsReported(@Nullable String asked, @Nullable String runs, boolean said) {
        assertThat(VersionConditions.kubernetes(asked, runs).isPresent()).isEqualTo(said);
    }
}
