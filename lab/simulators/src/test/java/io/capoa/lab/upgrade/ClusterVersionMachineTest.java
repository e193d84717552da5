package io.capoa.lab.upgrade;

import static io.capoa.lab.upgrade.Scenario.image;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterVersionMachineTest {

    private static final int ROLLOUT_SECONDS = Operators.IN_ORDER.size();

    private final Scenario scenario = new Scenario();

    @Test
    void atRest_nothingIsDue() {
        scenario.settle();

        assertThat(scenario.due).isEmpty();
        assertThat(scenario.condition("Progressing").message()).isEqualTo("Cluster version is 4.20.3");
        assertThat(scenario.condition("Available").message()).isEqualTo("Done applying 4.20.3");
        assertThat(scenario.condition("ReleaseAccepted").reason()).isEqualTo("PayloadLoaded");
        assertThat(scenario.conditions()).extracting(Condition::type).doesNotContain("Invalid", "Upgradeable");
    }

    @Test
    void anUpdate_isRetrieved_thenApplied_thenCompleted() {
        scenario.request("4.20.5", "");
        assertThat(scenario.state.observedGeneration()).isEqualTo(2);
        assertThat(scenario.condition("ReleaseAccepted").reason()).isEqualTo("RetrievePayload");
        assertThat(scenario.condition("ReleaseAccepted").status()).isEqualTo("Unknown");
        assertThat(scenario.condition("Progressing").isFalse()).isTrue();
        assertThat(scenario.state.desired().version()).isEqualTo("4.20.3");

        scenario.after(5);
        assertThat(scenario.condition("ReleaseAccepted").isTrue()).isTrue();
        assertThat(scenario.state.desired()).isEqualTo(new Payload("4.20.5", image("4.20.5")));
        assertThat(scenario.state.history()).hasSize(2);
        assertThat(scenario.state.history().getFirst().applied()).isFalse();
        assertThat(scenario.state.history().getFirst().verified()).isTrue();
        assertThat(scenario.condition("Upgradeable").reason()).isEqualTo("UpdateInProgress");

        scenario.after(2);
        assertThat(scenario.condition("Progressing").message())
                .isEqualTo("Working towards 4.20.5: 187 of 900 done (20% complete), waiting on kube-apiserver");
        assertThat(scenario.state.versions()).containsEntry("etcd", "4.20.5").containsEntry("dns", "4.20.3");
        assertThat(scenario.condition("Available").message()).isEqualTo("Done applying 4.20.3");

        scenario.after(ROLLOUT_SECONDS);
        assertThat(scenario.state.history().getFirst().applied()).isTrue();
        assertThat(scenario.condition("Progressing").message()).isEqualTo("Cluster version is 4.20.5");
        assertThat(scenario.state.versions()).containsEntry("machine-config", "4.20.5");
        assertThat(scenario.due).isEmpty();
    }

    @Test
    void machineConfig_waitsForThePools_andIsSuspectedLater() {
        scenario.pools = Observation.Pools.UPDATING;
        scenario.request("4.20.5", "").after(5 + ROLLOUT_SECONDS);

        assertThat(scenario.condition("Progressing").message()).endsWith("waiting on machine-config");
        assertThat(scenario.condition("Failing").isFalse()).isTrue();
        scenario.after(180);
        assertThat(scenario.condition("Failing"))
                .isEqualTo(Condition.unknown(
                        "Failing", "SlowClusterOperator", "waiting on machine-config longer than expected"));

        scenario.pools = Observation.Pools.UPDATED;
        scenario.settle();
        assertThat(scenario.condition("Failing").isFalse()).isTrue();
        assertThat(scenario.state.history().getFirst().applied()).isTrue();
    }

    @Test
    void aDegradedOperator_failsTheUpdateOnlyAfterAWhile_anUnavailableOneAtOnce() {
        scenario.faults.put("console", OperatorFault.DEGRADED);
        scenario.request("4.20.5", "").after(5 + ROLLOUT_SECONDS);
        assertThat(scenario.condition("Failing").isFalse()).isTrue();
        scenario.after(60);
        assertThat(scenario.condition("Failing").reason()).isEqualTo("ClusterOperatorDegraded");
        assertThat(scenario.condition("Progressing").message())
                .isEqualTo("Unable to apply 4.20.5: Cluster operator console is degraded");
        assertThat(scenario.state.history().getFirst().applied()).isFalse();

        scenario.faults.put("console", OperatorFault.UNAVAILABLE);
        assertThat(scenario.condition("Failing").reason()).isEqualTo("ClusterOperatorNotAvailable");
        scenario.faults.clear();
        scenario.settle().after(ROLLOUT_SECONDS);
        assertThat(scenario.state.history().getFirst().applied()).isTrue();
    }

    @Test
    void anUnknownVersion_isInvalid_andIgnored() {
        scenario.request("4.99.0", "").after(60);

        assertThat(scenario.condition("Invalid").message())
                .contains("spec.desiredUpdate.version", "4.99.0", "must be a previous version or an available update");
        assertThat(scenario.condition("Progressing"))
                .isEqualTo(Condition.no(
                        "Progressing", "InvalidClusterVersion", "Stopped at 4.20.3: the cluster version is invalid"));
        assertThat(scenario.state.history()).hasSize(1);
    }

    @Test
    void aVersionThatIsOnlyInTheHistory_changesNothing_silently() {
        upgradeTo("4.20.5");

        scenario.request("4.20.3", "").after(60);

        assertThat(scenario.conditions()).extracting(Condition::type).doesNotContain("Invalid");
        assertThat(scenario.condition("ReleaseAccepted").isTrue()).isTrue();
        assertThat(scenario.state.desired().version()).isEqualTo("4.20.5");
    }

    @ParameterizedTest
    @CsvSource({
        "'', quay.io/ocp:4.20.5, RetrievePayload, not accessed via digest",
        "4.20.6, quay.io/ocp@sha256:4.20.6, RetrievePayload, unable to verify",
        "'', quay.io/ocp@sha256:gone, RetrievePayload, ErrImagePull",
        "4.20.7, quay.io/ocp@sha256:4.20.5, VerifyPayloadVersion, version 4.20.5 does not match",
        "'', quay.io/ocp@sha256:4.20.1, PreconditionChecks, LowDesiredVersion",
        "'', quay.io/ocp@sha256:4.22.0, PreconditionChecks, MultipleMinorVersionsUpdate",
        "'', quay.io/ocp@sha256:5.1.0, PreconditionChecks, MajorVersionUpdate"
    })
    void aRefusedPayload_isReportedInReleaseAcceptedAlone(String version, String image, String reason, String message) {
        scenario.unsigned.add("4.20.6");

        scenario.request(version, image).after(60);

        assertThat(scenario.condition("ReleaseAccepted").isFalse()).isTrue();
        assertThat(scenario.condition("ReleaseAccepted").reason()).isEqualTo(reason);
        assertThat(scenario.condition("ReleaseAccepted").message()).contains(message);
        assertThat(scenario.condition("Progressing").isFalse()).isTrue();
        assertThat(scenario.condition("Failing").isFalse()).isTrue();
        assertThat(scenario.state.history()).hasSize(1);
        assertThat(scenario.due).isEmpty();
    }

    @Test
    void force_goesAheadWithoutSignature_andSaysSoInTheHistory() {
        scenario.unsigned.add("4.20.5");

        scenario.request("4.20.5", image("4.20.5"), true).after(60);

        HistoryEntry entry = scenario.state.history().getFirst();
        assertThat(entry.payload().version()).isEqualTo("4.20.5");
        assertThat(entry.verified()).isFalse();
        assertThat(entry.acceptedRisks()).contains("the update was forced", "unable to verify");
    }

    @Test
    void anImageThatTheGraphDoesNotKnow_isAcceptedWithAWarning() {
        scenario.channel = "";
        scenario.request("", image("4.20.5")).after(60);
        assertThat(scenario.state.history().getFirst().acceptedRisks()).contains("NoChannel");

        scenario.channel = "stable-4.20";
        scenario.request("", image("4.20.12")).after(60);
        assertThat(scenario.state.history().getFirst().acceptedRisks()).contains("UnknownUpdate");
        assertThat(scenario.state.desired().version()).isEqualTo("4.20.12");
    }

    @Test
    void upgradeableFalse_blocksAMinor_butNoPatch() {
        scenario.notUpgradeable.add(Condition.no("Upgradeable", "AdminAckRequired", "acknowledge it"));

        scenario.request("4.21.0", "").after(60);
        assertThat(scenario.condition("ReleaseAccepted").message())
                .contains("ClusterVersionUpgradeable", "AdminAckRequired", "acknowledge it");
        scenario.request("4.20.5", "").after(60);
        assertThat(scenario.state.history().getFirst().payload().version()).isEqualTo("4.20.5");

        scenario.notUpgradeable.clear();
        scenario.request("4.21.0", "").after(60);
        assertThat(scenario.state.history().getFirst().applied()).isTrue();
        assertThat(scenario.state.desired().version()).isEqualTo("4.21.0");
    }

    @Test
    void aConditionalUpdate_needsItsImage_andLeavesAWarning() {
        scenario.risks.put("4.20.5", "SlowBoot");
        scenario.request("4.20.5", "").after(60);
        assertThat(scenario.condition("Invalid").isTrue()).isTrue();

        scenario.request("4.20.5", image("4.20.5")).after(60);
        assertThat(scenario.state.history().getFirst().acceptedRisks()).contains("SlowBoot");
    }

    @Test
    void risksCannotBeAccepted_whereTheFeatureIsOff() {
        scenario.request(Optional.of(new UpdateRequest("4.20.5", "", false, "", List.of("SlowBoot"))));

        assertThat(scenario.condition("Invalid").message()).contains("acceptRisks");
    }

    @Test
    void clearedWhileItIsRetrieved_theUpdateBegins_andTheOldOperatorGoesBack() {
        scenario.request("4.20.5", "").after(4);
        scenario.request(Optional.empty());
        assertThat(scenario.state.observedGeneration()).as("not seen yet").isEqualTo(2);
        scenario.after(60);

        assertThat(scenario.state.history())
                .extracting(entry -> entry.payload().version(), HistoryEntry::applied)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("4.20.3", true),
                        org.assertj.core.groups.Tuple.tuple("4.20.5", false),
                        org.assertj.core.groups.Tuple.tuple("4.20.3", true));
        assertThat(scenario.condition("ReleaseAccepted").message()).contains("4.20.3");
    }

    @Test
    void clearedWhenItIsRefused_nothingIsLeftOfIt() {
        scenario.unsigned.add("4.20.5");
        scenario.request("4.20.5", "").after(10);
        scenario.request(Optional.empty());
        scenario.unsigned.clear();
        scenario.after(60);

        assertThat(scenario.state.history()).hasSize(1);
        assertThat(scenario.condition("ReleaseAccepted").isTrue()).isTrue();
    }

    @Test
    void clearedAfterwards_theNewReleaseStays() {
        scenario.request("4.20.5", "").after(7);
        scenario.request(Optional.empty()).after(60);

        assertThat(scenario.state.history().getFirst().payload().version()).isEqualTo("4.20.5");
        assertThat(scenario.state.history().getFirst().applied()).isTrue();
    }

    @Test
    void aPatchInMidFlight_supersedes_andTheOldEntryStaysPartial() {
        scenario.request("4.21.0", "").after(7);
        scenario.request("4.21.1", "").after(60);

        assertThat(scenario.state.history())
                .extracting(entry -> entry.payload().version(), HistoryEntry::applied)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("4.21.1", true),
                        org.assertj.core.groups.Tuple.tuple("4.21.0", false),
                        org.assertj.core.groups.Tuple.tuple("4.20.3", true));
        assertThat(scenario.state.history()).allMatch(entry -> entry.completed().isPresent());
        assertThat(scenario.state.history().getFirst().acceptedRisks()).contains("MinorVersionClusterUpdateInProgress");
    }

    @Test
    void aMinorInMidFlight_isRefused() {
        scenario.request("4.20.5", "").after(7);
        scenario.request("4.21.1", "").after(6);

        assertThat(scenario.condition("ReleaseAccepted").message()).contains("UpdateInProgress");
        assertThat(scenario.state.desired().version()).isEqualTo("4.20.5");
        scenario.after(60);
        assertThat(scenario.state.desired().version())
                .as("accepted once the patch is applied")
                .isEqualTo("4.21.1");
    }

    @Test
    void aRollback_leadsToThePreviousPatchOnly() {
        upgradeTo("4.20.5");
        scenario.request("4.20.3", image("4.20.3")).after(60);
        assertThat(scenario.state.desired().version()).isEqualTo("4.20.3");
        assertThat(scenario.state.history()).hasSize(3);

        upgradeTo("4.21.0");
        scenario.request("4.20.3", image("4.20.3")).after(60);
        assertThat(scenario.condition("ReleaseAccepted").message()).contains("LowDesiredVersion");
    }

    @Test
    void duringTheInstallation_aRequestIsIgnored() {
        scenario.state = UpdateState.installing(new Payload("4.20.3", image("4.20.3")), scenario.now);

        scenario.request("4.20.5", "").after(60);

        assertThat(scenario.state.history()).hasSize(1);
        assertThat(scenario.condition("Available").isFalse()).isTrue();
        assertThat(scenario.condition("Progressing").isTrue()).isTrue();
    }

    private void upgradeTo(String version) {
        scenario.request(version, "").after(60);
        assertThat(scenario.state.history().getFirst().payload().version()).isEqualTo(version);
        assertThat(scenario.state.history().getFirst().applied()).isTrue();
    }
}
