package io.capoa.controlplane.workload.health;

import static io.capoa.controlplane.workload.health.ControlPlaneHealths.healthy;
import static io.capoa.controlplane.workload.health.ControlPlaneHealths.members;
import static io.capoa.controlplane.workload.health.ControlPlaneHealths.noConnection;
import static io.capoa.controlplane.workload.health.ControlPlaneHealths.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthRoundsTest {

    private static final Map<String, Boolean> READY = Map.of("m-0", true);
    private static final Optional<OperatorReports> ALL_MEMBERS = Optional.of(new OperatorReports("3 of 3", "7"));
    private static final Optional<OperatorReports> TWO_MEMBERS = Optional.of(new OperatorReports("2 of 3", "8"));
    private static final ControlPlaneHealth LOST_MEMBER = with(members(true, false, true));

    private final HealthRounds rounds = new HealthRounds(false);
    private final Cluster cluster = new Cluster();

    @Test
    void whileAllIsWell_everySecondRoundCompares_andEveryThirtiethReadsAll() {
        for (int round = 0; round <= 60; round++) {
            assertThat(next(READY)).isEqualTo(cluster.health);
        }
        assertThat(cluster.snapshots).isEqualTo(3);
        assertThat(cluster.comparisons).isEqualTo(28);
        assertThat(cluster.probes).as("where nothing is compared").isEqualTo(32);
    }

    @Test
    void whatTheOperatorsReportDifferently_isReadInTheSameRound() {
        next(READY);
        cluster.health = LOST_MEMBER;
        cluster.reports = TWO_MEMBERS;
        assertThat(next(READY)).as("only readiness").isEqualTo(healthy());
        assertThat(next(READY)).isEqualTo(LOST_MEMBER);
    }

    @Test
    void operatorsThatCannotBeRead_haveAllRead() {
        next(READY);
        cluster.reports = Optional.empty();
        next(READY);
        assertThat(cluster.snapshots).isEqualTo(1);
        next(READY);
        assertThat(cluster.snapshots).isEqualTo(2);
    }

    @Test
    void aDifferenceWithoutConsequence_isComparedWithFromThenOn() {
        next(READY);
        cluster.reports = TWO_MEMBERS;
        for (int round = 0; round < 6; round++) {
            next(READY);
        }
        assertThat(cluster.snapshots).isEqualTo(2);
    }

    @Test
    void aComparisonThatFindsNothing_isTheNextOnesStart() {
        next(READY);
        for (String version : List.of("9", "12", "12")) {
            cluster.reports = ALL_MEMBERS.map(reports -> reports.at(version));
            next(READY);
            next(READY);
        }
        assertThat(cluster.comparedSince).containsExactly("7", "9", "12");
        assertThat(cluster.snapshots).isEqualTo(1);
    }

    /** The members answered, and the operator did not know yet when the snapshot was taken. */
    @Test
    void whatChangesDuringASnapshot_isNoticedByTheNextComparison() {
        cluster.afterSnapshot = () -> {
            cluster.health = LOST_MEMBER;
            cluster.reports = TWO_MEMBERS;
        };
        assertThat(next(READY)).isEqualTo(healthy());
        next(READY);
        assertThat(next(READY)).isEqualTo(LOST_MEMBER);
    }

    @Test
    void whatNoOperatorReports_isReadAfterHalfAnHour() {
        next(READY);
        cluster.health = LOST_MEMBER;
        for (int round = 1; round < 30; round++) {
            assertThat(next(READY)).isEqualTo(healthy());
        }
        assertThat(next(READY)).isEqualTo(LOST_MEMBER);
    }

    @Test
    void anApiServerThatIsNotReady_isReadAtOnce() {
        next(READY);
        cluster.serves = false;
        cluster.health = noConnection();
        assertThat(next(READY)).isEqualTo(cluster.health);
        assertThat(next(READY)).isEqualTo(cluster.health);
        cluster.serves = true;
        cluster.health = healthy();
        assertThat(next(READY)).isEqualTo(cluster.health);
        assertThat(cluster.comparisons).isZero();
    }

    @Test
    void whatIsNotWell_isReadEachTime() {
        cluster.health = LOST_MEMBER;
        next(READY);
        next(READY);
        cluster.health = healthy();
        assertThat(next(READY)).isEqualTo(cluster.health);
        assertThat(cluster.probes).isZero();
        assertThat(cluster.comparisons).isZero();
    }

    @Test
    void aMachineThatIsNoLongerReady_hasAllReadWithTheNextQuery() {
        next(READY);
        cluster.health = LOST_MEMBER;
        assertThat(next(READY)).isEqualTo(healthy());
        assertThat(next(Map.of("m-0", false))).isEqualTo(cluster.health);
        assertThat(cluster.probes).as("readiness first").isEqualTo(2);
    }

    @Test
    void ofAClusterThatWasReportedWell_onlyReadinessIsAskedForSomeRounds_thenAllIsRead() {
        HealthRounds inherited = new HealthRounds(4);
        for (int round = 0; round < 4; round++) {
            assertThat(inherited.next(READY, cluster)).isEqualTo(ControlPlaneHealth.SERVING);
        }
        assertThat(cluster.snapshots).isZero();
        cluster.health = LOST_MEMBER;
        assertThat(inherited.next(READY, cluster)).isEqualTo(LOST_MEMBER);
        assertThat(cluster.probes).isEqualTo(5);
        assertThat(cluster.comparisons).as("there is nothing to compare with").isZero();
    }

    @Test
    void ofAClusterThatWasReportedWell_allIsReadAtOnce_ifItsApiServerIsNotReady() {
        HealthRounds inherited = new HealthRounds(4);
        cluster.serves = false;
        cluster.health = noConnection();
        assertThat(inherited.next(READY, cluster)).isEqualTo(noConnection());
    }

    @Test
    void ofAClusterThatWasReportedWell_allIsReadAtOnce_ifAMachineIsNoLongerReady() {
        HealthRounds inherited = new HealthRounds(4);
        inherited.next(READY, cluster);
        assertThat(inherited.next(Map.of("m-0", false), cluster)).isEqualTo(healthy());
    }

    @Test
    void providersThatStart_readTheClustersThatWereWellWithinFiveRounds() {
        for (int provider = 0; provider < 100; provider++) {
            HealthRounds inherited = new HealthRounds(true);
            cluster.snapshots = 0;
            for (int round = 0; round < 5; round++) {
                inherited.next(READY, cluster);
            }
            assertThat(cluster.snapshots).isEqualTo(1);
        }
    }

    private ControlPlaneHealth next(Map<String, Boolean> machines) {
        return rounds.next(machines, cluster);
    }

    private static final class Cluster implements HealthQueries {

        ControlPlaneHealth health = healthy();
        Optional<OperatorReports> reports = ALL_MEMBERS;
        boolean serves = true;
        Runnable afterSnapshot = () -> {};
        int probes;
        int comparisons;
        int snapshots;
        final List<String> comparedSince = new ArrayList<>();

        @Override
        public ApiServerReadiness readiness() {
            probes++;
            return new ApiServerReadiness(serves);
        }

        @Override
        public Optional<OperatorReports> reports(OperatorReports before) {
            comparisons++;
            comparedSince.add(before.version());
            return reports;
        }

        @Override
        public HealthSnapshot snapshot() {
            snapshots++;
            HealthSnapshot snapshot = new HealthSnapshot(health, reports.orElse(ALL_MEMBERS.orElseThrow()));
            afterSnapshot.run();
            return snapshot;
        }
    }
}
