package io.capoa.bootstrap.config.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.ConfigFailures;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.runtime.status.Patience;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How long the status of a config is held back: nothing on which a person has to act is written late. */
class ConfigPatienceTest {

    private static final Duration IN_TIME = Duration.ofSeconds(3);
    private static final String APPROVED = "AgentRegistered=True/AgentRegistered;AgentApproved=True/AgentApproved;";
    private static final String UNREGISTERED =
            "AgentRegistered=False/WaitingForAgent;AgentApproved=False/WaitingForAgent;Installed=False/WaitingForAgent";

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
            Installed=False/WaitingForInstallation | Installed=False/WaitingForInstallation words | 20
            Installed=False/WaitingForInstallation | Installed=False/Installing                   | 20
            Installed=False/Installing             | Installed=False/Installing words             | 20
            Installed=False/AgentValidationFailed  | Installed=False/WaitingForInstallation       | 1
            Installed=False/AgentValidationFailed  | Installed=False/Installing                   | 1
            """)
    void theCourseOfAnInstallation_isHeldBack_andARecoveryIsNot(String before, String after, int seconds) {
        assertThat(ConfigPatience.of(latched(APPROVED + before), latched(APPROVED + after)))
                .isEqualTo(Patience.of(Duration.ofSeconds(seconds)));
    }

    @Test
    void whatPassesBeforeTheData_isHeldBackForSeconds_andTheDataAreNot() {
        OpenshiftAssistedConfigStatus first = status("DataSecretAvailable=False/WaitingForInfraEnvToBeReady");
        OpenshiftAssistedConfigStatus next = status("DataSecretAvailable=False/DownloadingIgnition");

        assertThat(List.of(ConfigPatience.of(null, first), ConfigPatience.of(first, next)))
                .containsOnly(Patience.of(Duration.ofSeconds(3)));
        assertThat(ConfigPatience.of(first, latched("DataSecretAvailable=True/DataSecretAvailable")))
                .isEqualTo(Patience.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "AgentRegistered=True/AgentRegistered;AgentApproved=True/AgentApproved;Installed=False/WaitingForInstallation",
        UNREGISTERED + ";Paused=True/Paused"
    })
    void aHostThatReports_andAPause_areShownSoon(String after) {
        assertThat(ConfigPatience.of(latched(UNREGISTERED), latched(after)))
                .isEqualTo(Patience.of(Duration.ofSeconds(1)));
    }

    @Test
    void aPause_andAnotherGeneration_areShownSoon_alsoDuringAnInstallation() {
        OpenshiftAssistedConfigStatus installing = latched("Installed=False/Installing;Paused=False/NotPaused");

        assertThat(List.of(
                        ConfigPatience.of(installing, latched("Installed=False/Installing;Paused=True/Paused")),
                        ConfigPatience.of(
                                installing,
                                new OpenshiftAssistedConfigStatus(
                                        installing.initialization(), null, null, 2L, installing.conditions()))))
                .containsOnly(Patience.of(Duration.ofSeconds(1)));
    }

    @Test
    void anInstalledHost_isNotHeldBackAsItsInstallation() {
        assertThat(ConfigPatience.of(
                        latched("Ready=True/Ready;AgentRegistered=True/AgentRegistered"),
                        latched("Ready=True/Ready;AgentRegistered=True/AgentRegistered words")))
                .isEqualTo(Patience.of(Duration.ofSeconds(3)));
    }

    /** Such as a host that boots from another disk than the one it was installed on. */
    @Test
    void anInstallationThatWaitsForAPerson_isShownInTime() {
        assertInTime(
                latched("Installed=False/Installing Host a: Rebooting"),
                latched("Installed=False/Installing Host a: Rebooting, waiting for you: fix the boot order"));
    }

    @Test
    void noFailure_isTakenForOneThatPasses() {
        assertThat(ConfigPatience.PASSING).doesNotContainAnyElementsOf(ConfigFailures.REASONS);
    }

    static Stream<String> failures() {
        return ConfigFailures.REASONS.stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatNeedsAPerson_isShownInTime(String reason) {
        Stream.of(null, status(UNREGISTERED), status(APPROVED + "Installed=False/Installing"))
                .forEach(before -> assertInTime(before, status(APPROVED + "Installed=False/" + reason)));
        assertInTime(
                status(APPROVED + "Installed=False/" + reason),
                status(APPROVED + "Installed=False/" + reason + " words"));
    }

    @ParameterizedTest
    @CsvSource({
        "AgentApproved=False/WaitingForNodeName",
        "AgentApproved=False/Deleting",
        "AgentApproved=True/DuplicateAgent",
        "Installed=False/ClusterInstallationFailed"
    })
    void anApprovalThatIsWithheld_isShownInTime(String condition) {
        assertInTime(status(UNREGISTERED), status("AgentRegistered=True/AgentRegistered;" + condition));
    }

    @Test
    void aTroubleThatLasts_doesNotHurryTheProgressBesideIt() {
        String trouble = "InfraEnvReady=True/ForeignNetworkSettings;";

        assertThat(ConfigPatience.of(
                        latched(trouble + APPROVED + "Installed=False/Installing"),
                        latched(trouble + APPROVED + "Installed=False/Installing words")))
                .isEqualTo(Patience.of(Duration.ofSeconds(20)));
    }

    private static void assertInTime(
            @Nullable OpenshiftAssistedConfigStatus before, OpenshiftAssistedConfigStatus after) {
        Patience patience = ConfigPatience.of(before, after);
        assertThat(patience.urgent()).isTrue();
        assertThat(patience.still()).isLessThan(IN_TIME);
    }

    private static OpenshiftAssistedConfigStatus latched(String conditions) {
        return new OpenshiftAssistedConfigStatus(
                new OpenshiftAssistedConfigStatus.Initialization(true),
                null,
                null,
                1L,
                status(conditions).conditions());
    }

    /** Conditions as {@code type=status/reason message}. */
    private static OpenshiftAssistedConfigStatus status(String conditions) {
        List<Condition> all = Stream.of(conditions.split(";"))
                .map(text -> text.split("[=/ ]", 4))
                .map(part -> new Condition(part[0], part[1], part[2], part.length > 3 ? part[3] : "", "", 1L))
                .toList();
        return new OpenshiftAssistedConfigStatus(null, null, null, 1L, all);
    }
}
