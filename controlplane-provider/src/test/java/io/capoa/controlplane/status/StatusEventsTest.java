package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.testing.Objects;
import io.capoa.runtime.events.RecordedEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Events of an upgrade. */
class StatusEventsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            - | UpgradeAvailable False UpgradeNotOffered            | UpgradeNotOffered
            UpgradeAvailable False UpgradeNotOffered | UpgradeAvailable False UpgradeNotOffered | -
            UpgradeAvailable False UpgradeNotOffered | UpgradeAvailable False UpgradeNotRecommended | UpgradeNotRecommended
            - | UpgradeAvailable False UpgradeWaitingForControlPlane | -
            - | UpgradeAvailable False UpgradeWaitingForVersion     | -
            - | UpgradeAvailable False UpgradeVersionMismatch       | UpgradeVersionMismatch
            - | UpgradeCompleted False UpgradeInProgress            | -
            UpgradeCompleted False UpgradeInProgress | UpgradeCompleted False UpgradeFailed | UpgradeFailed
            UpgradeCompleted False UpgradeInProgress | UpgradeCompleted True UpgradeCompleted | UpgradeCompleted
            UpgradeCompleted True UpgradeCompleted | UpgradeCompleted True UpgradeCompleted | -
            """)
    void whatNeedsAction_andTheEnd_areEventsOnce(String before, String after, String event) {
        assertThat(StatusEvents.between(before == null ? null : status(before), status(after)))
                .extracting(RecordedEvent::reason)
                .isEqualTo(event == null ? List.of() : List.of(event));
    }

    /** The hosts that failed are reported after the installation. */
    @Test
    void aFailedInstallation_isAnEventAgain_whenItsHostsAreKnown() {
        String failed = "InstallSucceeding False InstallFailed";

        assertThat(StatusEvents.between(status(failed), status(failed, "Machine m: Host h failed")))
                .containsExactly(RecordedEvent.warning("InstallFailed", "Machine m: Host h failed"));
        assertThat(StatusEvents.between(status(failed), status(failed))).isEmpty();
    }

    private static OpenshiftAssistedControlPlaneStatus status(String condition) {
        return status(condition, "message");
    }

    private static OpenshiftAssistedControlPlaneStatus status(String condition, String message) {
        String[] words = condition.split(" ", -1);
        return Objects.status(
                "distributionVersion: 4.20.5",
                new Condition(words[0], words[1], words[2], message, "2026-01-01T00:00:00Z", 1L));
    }
}
