package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.testing.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a status lets expect of a cluster that has not been asked yet. */
class ExpectedReleaseTest {

    private static final String RELEASE = "{type: ReleaseResolved, status: 'True', observedGeneration: 2}";
    private static final String HEALTH = "{type: ControlPlaneComponentsHealthy, status: 'True'}";

    @Test
    void aStatusOfThePresentSpec_withoutAnUpgrade_saysThatTheWantedReleaseRuns() {
        assertThat(expected("4.20.3", RELEASE, HEALTH)).isEqualTo(ExpectedRelease.WANTED);
        assertThat(expected("4.20.3", RELEASE, HEALTH, upgraded("")))
                .as("the last upgrade is complete")
                .isEqualTo(ExpectedRelease.WANTED);
    }

    @Test
    void aReleaseThatIsNotTheWantedOne_isAnother_whateverElseIsReported() {
        assertThat(expected("4.20.2", RELEASE, HEALTH)).isEqualTo(ExpectedRelease.OTHER);
    }

    @Test
    void withoutAStatus_nothingIsKnown() {
        assertThat(ExpectedRelease.of(controlPlane(""))).isEqualTo(ExpectedRelease.UNKNOWN);
        assertThat(expected("4.20.3")).isEqualTo(ExpectedRelease.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: ReleaseResolved, status: 'True', observedGeneration: 1}",
                "{type: ReleaseResolved, status: 'True'}",
                "{type: ReleaseResolved, status: 'False', reason: VersionMismatch, observedGeneration: 2}"
            })
    void afterAChangeOfTheSpec_orWithOneThatIsRefused_nothingIsKnown(String release) {
        assertThat(expected("4.20.3", release, HEALTH)).isEqualTo(ExpectedRelease.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{type: UpgradeAvailable, status: 'True'}",
                "{type: UpgradeCompleted, status: 'False', reason: UpgradeInProgress}",
                "{type: UpgradeCompleted, status: Unknown}",
                "{type: UpgradeCompleted, status: 'True', message: worker 1 of 2 nodes}"
            })
    void whatIsUnderWay_isFollowed(String upgrade) {
        assertThat(expected("4.20.3", RELEASE, HEALTH, upgrade)).isEqualTo(ExpectedRelease.UNKNOWN);
    }

    @Test
    void aClusterThatIsNotWell_mayBeInAnUpgrade() {
        assertThat(expected("4.20.3", RELEASE, "{type: ControlPlaneComponentsHealthy, status: Unknown}"))
                .isEqualTo(ExpectedRelease.UNKNOWN);
    }

    private static String upgraded(String message) {
        return "{type: UpgradeCompleted, status: '%s', message: '%s'}".formatted(Condition.TRUE, message);
    }

    private static ExpectedRelease expected(String runs, String... conditions) {
        return ExpectedRelease.of(controlPlane(
                "status: {distributionVersion: %s, conditions: [%s]}".formatted(runs, String.join(", ", conditions))));
    }

    private static OpenshiftAssistedControlPlane controlPlane(String status) {
        return Objects.read(
                OpenshiftAssistedControlPlane.class,
                "metadata: {name: cp, generation: 2}\nspec: {distributionVersion: 4.20.3}\n" + status);
    }
}
