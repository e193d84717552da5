package io.capoa.controlplane.upgrade;

import static io.capoa.controlplane.upgrade.ClusterUpgrades.AT_4_20_3;
import static io.capoa.controlplane.upgrade.ClusterUpgrades.atRest;
import static io.capoa.controlplane.upgrade.ClusterUpgrades.requested;
import static io.capoa.controlplane.upgrade.ClusterUpgrades.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.UpgradeSettings;
import io.capoa.controlplane.upgrade.ClusterUpgradeState.Operators;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The next step of an upgrade, in the order in which a user meets the cases. */
class UpgradePlannerTest {

    private static final TargetImage UNASKED = new TargetImage.Resolving();
    private static final String GATE = "ack-4.20-apis-removed-in-4.21";

    @Test
    void aClusterThatRunsTheRelease_isAtRest_alsoWithAnOldRequestInItsSpec() {
        assertThat(next("4.20.3", AT_4_20_3)).isEqualTo(new UpgradeDecision.AtRest());
        assertThat(next(
                        "4.20.3",
                        state(atRest("").replace("{channel: stable-4.20}", "{desiredUpdate: {version: 4.20.3}}"))))
                .isEqualTo(new UpgradeDecision.AtRest());
    }

    @Test
    void aRecommendedUpdate_isAskedFor_byVersionAndDigest() {
        assertThat(next("4.20.5", AT_4_20_3))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.20.5", "r@sha256:5"), false));
    }

    @Test
    void anUpdateWithRisks_waitsUntilEachIsAccepted() {
        assertThat(message(next("4.21.1", AT_4_20_3))).contains("UpgradeNotRecommended", "OldFirmware, SlowDisks");
        assertThat(message(next("4.21.1", settings(List.of(), List.of("SlowDisks"), false), AT_4_20_3)))
                .contains("UpgradeNotRecommended", "known risks: OldFirmware;", "spec.upgrade.acceptedRisks");
        assertThat(next("4.21.1", settings(List.of(), List.of("SlowDisks", "OldFirmware"), false), AT_4_20_3))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.21.1", "r@sha256:211"), false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4.22.0  | UpgradePathUnsupported | upgrade to a release of 4.21 first
            5.0.0   | UpgradeNotOffered      | does not offer release 5.0.0
            5.1.0   | UpgradePathUnsupported | minor versions cannot be skipped
            6.0.0   | UpgradePathUnsupported | minor versions cannot be skipped
            4.20.1  | UpgradePathUnsupported | cannot go back to 4.20.1: set spec.distributionVersion to 4.20.3
            4.19.9  | UpgradePathUnsupported | cannot go back
            latest  | UpgradePathUnsupported | name a release by number
            4.20.9  | UpgradeNotOffered      | it offers 4.21.1, 4.20.6, 4.20.5
            """)
    void aReleaseThatCannotFollow_isRefusedWithWhatCan(String target, String reason, String remedy) {
        assertThat(message(next(target, AT_4_20_3))).contains(reason, remedy);
    }

    @Test
    void whatTheClusterOffers_mayFollow_whateverItsNumbers() {
        ClusterUpgradeState last = state(atRest("- {type: Upgradeable, status: 'False', message: an operator says no}")
                .replace("4.20.3", "4.23.7")
                .replace("4.20.5", "5.0.1"));
        ClusterUpgradeState well = state(atRest("").replace("4.20.3", "4.23.7").replace("4.20.5", "5.0.1"));
        UpgradeSettings channel = new UpgradeSettings("stable-5.0", null, null, null, null, null);

        assertThat(next("5.0.1", well))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("5.0.1", "r@sha256:5"), false));
        assertThat(next("5.0.1", channel, well))
                .as("before the channel is set nothing of it is offered")
                .isEqualTo(new UpgradeDecision.SetChannel("stable-5.0"));
        assertThat(message(next("5.0.1", last))).contains("UpgradeNotUpgradeable", "an operator says no");
        assertThat(next("4.25.0", state(atRest("").replace("4.20.3", "4.23.7").replace("4.20.5", "4.25.0"))))
                .as("the cluster knows better")
                .isInstanceOf(UpgradeDecision.Request.class);
    }

    @Test
    void aLowerRelease_isRefused_unlessItIsTheOneBefore_andTheUserAgrees() {
        ClusterUpgradeState upgraded = state("""
            status:
              observedGeneration: 1
              history:
              - {state: Completed, version: 4.20.5, image: "r@sha256:5"}
              - {state: Partial, version: 4.20.4, image: "r@sha256:4"}
              - {state: Completed, version: 4.20.3, image: "r@sha256:3"}
            """);

        assertThat(message(next("4.20.4", upgraded)))
                .as("an administrator has upgraded the cluster by oc")
                .contains(
                        "UpgradePathUnsupported",
                        "runs 4.20.5, which is later than 4.20.4: set spec.distributionVersion to 4.20.5",
                        "set annotation controlplane.cluster.x-k8s.io/rollback-from=4.20.5");
        assertThat(message(backFrom("4.20.6", "4.20.4", upgraded)))
                .as("agreed for another release, perhaps long ago")
                .contains("which is later than");
        assertThat(backFrom("4.20.5", "4.20.4", upgraded))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.20.4", "r@sha256:4"), false));
        assertThat(message(backFrom("4.20.5", "4.20.3", upgraded)))
                .as("the cluster goes back one release only, also to one that was not completed")
                .contains("UpgradePathUnsupported", "cannot go back to 4.20.3");
    }

    private static UpgradeDecision backFrom(String running, String target, ClusterUpgradeState seen) {
        return UpgradePlanner.next(
                new UpgradeRequest(
                        target, null, null, RequestedKubernetes.NONE, UNASKED, new UpgradeConsent(running, null)),
                seen);
    }

    @Test
    void nothingStarts_whileTheControlPlaneOrAPoolIsNotWell() {
        UpgradeRequest unwell = new UpgradeRequest(
                "4.20.5",
                null,
                "Machine m-0 is not Ready: repair it",
                RequestedKubernetes.NONE,
                UNASKED,
                UpgradeConsent.NONE);
        assertThat(message(UpgradePlanner.next(unwell, AT_4_20_3)))
                .contains("UpgradeWaitingForControlPlane", "Machine m-0 is not Ready");

        assertThat(message(next("4.20.5", state(atRest("- {type: Failing, status: 'True', message: etcd is broken}")))))
                .contains("UpgradeWaitingForControlPlane", "etcd is broken; repair it first");
        assertThat(message(next("4.20.5", pools(new PoolState("master", true, false, "", 3, 3, true)))))
                .contains("UpgradePoolNotReady", "master is paused", "set its spec.paused to false");
        assertThat(message(next(
                        "4.20.5", pools(new PoolState("worker", false, false, "node w-0: disk full", 2, 1, false)))))
                .contains("UpgradePoolNotReady", "worker is degraded: node w-0: disk full");
        assertThat(next("4.20.5", pools(new PoolState("worker", true, false, "", 2, 1, false))))
                .as("workers may be paused, to go over two minor versions with one reboot")
                .isInstanceOf(UpgradeDecision.Request.class);
    }

    @Test
    void anUpgradeThatRepairsTheCluster_isAskedForWithConsent_whichNamesTheRelease() {
        ClusterUpgradeState failing =
                state(atRest("- {type: Failing, status: 'True', message: Cluster operator dns is degraded}"));
        ClusterUpgradeState degraded = pools(new PoolState("worker", false, false, "node w-0: disk full", 2, 1, false));

        assertThat(message(next("4.20.5", failing)))
                .contains(
                        "repair it first; if the upgrade is what repairs it",
                        "set annotation controlplane.cluster.x-k8s.io/upgrade-with-warnings=4.20.5");
        assertThat(message(withWarnings("4.20.4", failing)))
                .as("agreed for another upgrade")
                .contains("dns is degraded");
        assertThat(withWarnings("4.20.5", failing)).isInstanceOf(UpgradeDecision.Request.class);
        assertThat(withWarnings("4.20.5", degraded)).isInstanceOf(UpgradeDecision.Request.class);
        assertThat(message(withWarnings("4.20.5", pools(new PoolState("master", true, false, "", 3, 3, true)))))
                .as("this would never end")
                .contains("master is paused");
    }

    private static UpgradeDecision withWarnings(String release, ClusterUpgradeState seen) {
        return UpgradePlanner.next(
                new UpgradeRequest(
                        "4.20.5", null, null, RequestedKubernetes.NONE, UNASKED, new UpgradeConsent(null, release)),
                seen);
    }

    @Test
    void aVersionThatTheReleaseDoesNotConfirm_comesBeforeEverythingElse() {
        RequestedKubernetes topology = new RequestedKubernetes("v1.33.5", "v1.33.5", Set.of("v1.33.5"));
        TargetImage known = new TargetImage.Resolved("r@sha256:5", "1.33.6");

        assertThat(message(UpgradePlanner.next(
                        new UpgradeRequest(
                                "4.20.5", null, "Machine m-0 is not Ready", topology, known, UpgradeConsent.NONE),
                        AT_4_20_3)))
                .contains("UpgradeVersionMismatch", "v1.33.5", "v1.33.6");
        assertThat(UpgradePlanner.next(
                        new UpgradeRequest(
                                "4.20.5",
                                null,
                                null,
                                topology,
                                new TargetImage.Resolved("r@sha256:5", "1.33.5"),
                                UpgradeConsent.NONE),
                        AT_4_20_3))
                .isInstanceOf(UpgradeDecision.Request.class);
    }

    @Test
    void aVersionOfItsOwn_isReported_whileTheClusterRunsTheRelease() {
        RequestedKubernetes ahead = new RequestedKubernetes("v1.34.5", "v1.34.5", Set.of("v1.33.5"));

        assertThat(UpgradePlanner.next(
                        new UpgradeRequest("4.20.3", null, null, ahead, UNASKED, UpgradeConsent.NONE), AT_4_20_3))
                .isInstanceOfSatisfying(
                        UpgradeDecision.AtRest.class,
                        rest -> assertThat(rest.other()).isNotNull());
    }

    @Test
    void aClusterThatIsNotUpgradeable_stopsMinorVersions_andLetsPatchesPass() {
        ClusterUpgradeState fixed =
                state(atRest("- {type: Upgradeable, status: 'False', message: the network operator says no}"));
        UpgradeSettings accepted = settings(List.of(), List.of("SlowDisks", "OldFirmware"), false);

        assertThat(message(next("4.21.1", accepted, fixed)))
                .contains("UpgradeNotUpgradeable", "the network operator says no");
        assertThat(next("4.20.5", fixed)).isInstanceOf(UpgradeDecision.Request.class);
        assertThat(next("4.21.1", settings(List.of(), List.of("SlowDisks", "OldFirmware"), true), fixed))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.21.1", "r@sha256:211"), true));
    }

    @Test
    void aGate_isAcknowledgedOnlyByItsName() {
        ClusterUpgradeState gated = state(
                atRest("- {type: Upgradeable, status: 'False', reason: AdminAckRequired, message: see the gate}"),
                List.of(),
                new AdminGates(new TreeMap<>(Map.of(GATE, "APIs go away", "ack-4.19-old", "past")), Set.of()));

        assertThat(message(next("4.21.1", gated)))
                .contains("UpgradeAcknowledgementRequired", "APIs go away", GATE, "spec.upgrade.acknowledgements")
                .doesNotContain("ack-4.19-old");
        assertThat(next("4.21.1", settings(List.of(GATE), List.of(), false), gated))
                .isEqualTo(new UpgradeDecision.Acknowledge(List.of(GATE)));
    }

    @Test
    void aChannelOfTheSpec_isSetFirst() {
        UpgradeSettings settings = new UpgradeSettings("stable-4.21", null, null, null, null, null);

        assertThat(next("4.21.1", settings, AT_4_20_3)).isEqualTo(new UpgradeDecision.SetChannel("stable-4.21"));
        assertThat(next("4.20.3", settings, AT_4_20_3)).isEqualTo(new UpgradeDecision.AtRest());
    }

    @Test
    void withoutAnUpdateService_theReleaseComesFromTheRegistry_ifTheUserSaysSo() {
        ClusterUpgradeState alone = state("""
            spec: {}
            status:
              observedGeneration: 1
              history: [{state: Completed, version: 4.20.3, image: "r@sha256:3"}]
              conditions: [{type: RetrievedUpdates, status: "False", reason: NoChannel, message: no channel}]
            """);
        UpgradeSettings explicit = new UpgradeSettings(null, null, null, true, null, null);

        assertThat(message(next("4.20.9", alone)))
                .contains("UpgradeNotOffered", "no list of updates", "spec.upgrade.allowExplicitUpgrade");
        assertThat(next("4.20.9", explicit, alone)).isInstanceOf(UpgradeDecision.Moving.class);
        assertThat(UpgradePlanner.next(
                        new UpgradeRequest(
                                "4.20.9",
                                explicit,
                                null,
                                RequestedKubernetes.NONE,
                                new TargetImage.Resolved("m@sha256:9", "1.33.5"),
                                UpgradeConsent.NONE),
                        alone))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.20.9", "m@sha256:9"), false));
        assertThat(message(UpgradePlanner.next(
                        new UpgradeRequest(
                                "4.20.9",
                                explicit,
                                null,
                                RequestedKubernetes.NONE,
                                new TargetImage.Unavailable(new Blocker("ReleaseImageNotFound", "no such image")),
                                UpgradeConsent.NONE),
                        alone)))
                .contains("UpgradeImageUnavailable", "no such image");
    }

    @Test
    void ourRequest_isWaitedFor_andARefusalIsAFailure() {
        String asked = atRest("- {type: ReleaseAccepted, status: '%s', message: not signed}")
                .replace("{channel: stable-4.20}", "{desiredUpdate: {version: 4.20.5, image: 'r@sha256:5'}}");

        assertThat(next("4.20.5", state(asked.formatted("Unknown")))).isInstanceOf(UpgradeDecision.Moving.class);
        assertThat(((UpgradeDecision.Stuck) next("4.20.5", state(asked.formatted("False")))).message())
                .contains("refuses release 4.20.5: not signed", "set spec.distributionVersion to 4.20.3");
        assertThat(next("4.20.5", settings(List.of(), List.of(), true), state(asked.formatted("False"))))
                .as("forced afterwards")
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.20.5", "r@sha256:5"), true));
    }

    @Test
    void aRequestThatTheSpecNoLongerNames_isTakenBack_ifItIsTheProviders() {
        String asked = atRest("- {type: ReleaseAccepted, status: '%s', message: not signed}")
                .replace("{channel: stable-4.20}", "{desiredUpdate: {version: 4.20.6, image: 'r@sha256:6'}}");
        ClusterUpgradeState refused = requested(asked.formatted("False"));
        UpgradeDecision back = new UpgradeDecision.Withdraw(new ReleaseName("4.20.6", "r@sha256:6"));

        assertThat(next("4.20.6", refused)).isInstanceOf(UpgradeDecision.Stuck.class);
        assertThat(next("4.20.3", refused)).isEqualTo(back);
        assertThat(next("4.20.3", requested(asked.formatted("Unknown")))).isEqualTo(back);
        assertThat(next("4.20.9", refused))
                .as("before the next release is looked for, which may take long")
                .isEqualTo(back);
        assertThat(next("4.20.3", requested(asked.formatted("True").replace("4.20.3", "4.20.6"))))
                .as("it has been carried out")
                .isNotEqualTo(back);

        assertThat(other(next("4.20.3", state(asked.formatted("False")))))
                .as("another client's")
                .contains(
                        "UpgradeToOtherRelease: another client has requested release 4.20.6",
                        "refuses it: not signed",
                        "oc adm upgrade --clear, or set spec.distributionVersion");
        assertThat(other(next("4.20.3", state(asked.formatted("Unknown"))))).contains("being upgraded to 4.20.6: wait");
    }

    @Test
    void aReleaseThatIsBeingChecked_isWaitedFor_ifTheClusterCanBeSentOnFromIt() {
        String asked = atRest("- {type: ReleaseAccepted, status: '%s', message: not signed}")
                .replace("{channel: stable-4.20}", "{desiredUpdate: {version: 4.20.4, image: 'r@sha256:4'}}");

        assertThat(message(next("4.20.5", requested(asked.formatted("Unknown")))))
                .as("cleared, it would begin, go back, and be upgraded again")
                .contains("being upgraded to 4.20.4: wait");
        assertThat(next("4.21.1", requested(asked.formatted("Unknown")))).isInstanceOf(UpgradeDecision.Withdraw.class);
        assertThat(next("4.20.5", requested(asked.formatted("False")))).isInstanceOf(UpgradeDecision.Withdraw.class);
    }

    @Test
    void whileTheClusterMoves_nothingIsCleared_whichCouldSendItBack() {
        ClusterUpgradeState moving = requested("""
            spec: {desiredUpdate: {version: 4.20.6, image: "r@sha256:6"}}
            status:
              observedGeneration: 1
              desired: {version: 4.20.5, image: "r@sha256:5"}
              history:
              - {state: Partial, version: 4.20.5, image: "r@sha256:5"}
              - {state: Completed, version: 4.20.3, image: "r@sha256:3"}
              conditions: [{type: ReleaseAccepted, status: "False", message: not signed}]
            """);

        assertThat(next("4.20.6", moving)).isInstanceOf(UpgradeDecision.Stuck.class);
        assertThat(next("4.20.5", moving))
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.20.5", "r@sha256:5"), false));
        assertThat(message(next("4.20.3", moving))).contains("being upgraded to 4.20.5: wait");
    }

    @Test
    void nothingIsRequestedTwice_alsoIfTheClusterSaysNothingAboutIt() {
        ClusterUpgradeState silent = requested(atRest("")
                .replace("{channel: stable-4.20}", "{desiredUpdate: {version: 4.20.5, image: 'r@sha256:5'}}"));

        assertThat(next("4.20.5", silent)).isInstanceOf(UpgradeDecision.Moving.class);
    }

    private static String other(UpgradeDecision decision) {
        Blocker blocker = ((UpgradeDecision.AtRest) decision).other();
        return blocker == null ? "" : blocker.reason() + ": " + blocker.message();
    }

    @Test
    void aChangeThatTheClusterHasNotSeen_isWaitedFor() {
        assertThat(next("4.20.5", state(atRest("").replace("observedGeneration: 1", "observedGeneration: 0"))))
                .isInstanceOf(UpgradeDecision.Moving.class);
    }

    @Test
    void theUpgradeOfAnotherClient_isFollowed_andNotReplaced() {
        String moving = """
            status:
              desired: {version: 4.20.5, image: "r@sha256:5"}
              history:
              - {state: Partial, version: 4.20.5, image: "r@sha256:5"}
              - {state: Completed, version: 4.20.3, image: "r@sha256:3"}
              availableUpdates: [{version: 4.20.6, image: "r@sha256:6"}, {version: 4.21.1, image: "r@sha256:211"}]
              conditions:
              - {type: Progressing, status: "True", message: "Working towards 4.20.5: 106 of 841 done (12%% complete)"}
              - {type: Failing, status: "%s", message: etcd is slow}
            """;
        ClusterUpgradeState good = state(moving.formatted("False"));

        assertThat(next("4.20.5", good)).isEqualTo(new UpgradeDecision.Moving("upgrading to 4.20.5: 10 % applied"));
        assertThat(((UpgradeDecision.Stuck) next("4.20.5", state(moving.formatted("True")))).message())
                .contains("does not get on: etcd is slow");
        assertThat(message(next("4.20.3", good)))
                .contains("UpgradeToOtherRelease", "or set spec.distributionVersion to 4.20.5");
        assertThat(message(next("4.21.1", good))).contains("UpgradeToOtherRelease");
        assertThat(next("4.20.6", good))
                .as("a later patch supersedes it")
                .isEqualTo(new UpgradeDecision.Request(new ReleaseName("4.20.6", "r@sha256:6"), false));
    }

    @Test
    void progress_namesOperatorsAndPools() {
        ClusterUpgradeState moving = state("""
            status:
              desired: {version: 4.20.5}
              history: [{state: Partial, version: 4.20.5}, {state: Completed, version: 4.20.3}]
            """);
        ClusterUpgradeState far = new ClusterUpgradeState(
                "",
                moving.version(),
                List.of(
                        new PoolState("master", false, false, "", 3, 1, false),
                        new PoolState("worker", true, false, "", 2, 0, false)),
                new Operators(12, 33),
                moving.gates());

        assertThat(next("4.20.5", far))
                .isEqualTo(
                        new UpgradeDecision.Moving(
                                "upgrading to 4.20.5: 12 of 33 cluster operators updated, master 1 of 3 nodes, worker 0 of 2 nodes (paused)"));
    }

    @Test
    void aClusterThatDoesNotAnswer_isLeftAlone() {
        assertThat(UpgradePlanner.next(
                        new UpgradeRequest(
                                "4.20.5", null, null, RequestedKubernetes.NONE, UNASKED, UpgradeConsent.NONE),
                        null))
                .isInstanceOf(UpgradeDecision.Unreachable.class);
        assertThat(next("4.20.5", ClusterUpgradeState.unreachable("no connection")))
                .isEqualTo(new UpgradeDecision.Unreachable("the API of the cluster does not answer: no connection"));
        assertThat(next("4.20.5", state("status: {}"))).isInstanceOf(UpgradeDecision.Unreachable.class);
    }

    private static ClusterUpgradeState pools(PoolState... pools) {
        return new ClusterUpgradeState(
                "", AT_4_20_3.version(), List.of(pools), AT_4_20_3.operators(), AT_4_20_3.gates());
    }

    private static UpgradeSettings settings(List<String> acknowledgements, List<String> risks, boolean force) {
        return new UpgradeSettings(null, acknowledgements, risks, null, force, null);
    }

    private static UpgradeDecision next(String target, ClusterUpgradeState seen) {
        return next(target, null, seen);
    }

    private static UpgradeDecision next(String target, @Nullable UpgradeSettings settings, ClusterUpgradeState seen) {
        return UpgradePlanner.next(
                new UpgradeRequest(target, settings, null, RequestedKubernetes.NONE, UNASKED, UpgradeConsent.NONE),
                seen);
    }

    private static String message(UpgradeDecision decision) {
        Blocker blocker = ((UpgradeDecision.Blocked) decision).blocker();
        return blocker.reason() + ": " + blocker.message();
    }
}
