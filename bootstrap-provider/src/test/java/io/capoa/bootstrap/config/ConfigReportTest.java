package io.capoa.bootstrap.config;

import static io.capoa.bootstrap.config.Observations.complete;
import static io.capoa.bootstrap.config.Observations.metal3;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.runtime.events.Told;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReportTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    @Test
    void bootstrapDataIsLatched_andTheConfigWaitsForItsHost() {
        OpenshiftAssistedConfigStatus status = report(complete());

        assertThat(status.initialization()).isEqualTo(new OpenshiftAssistedConfigStatus.Initialization(true));
        assertThat(status.dataSecretName()).isEqualTo("c1");
        assertThat(condition(status, "DataSecretAvailable").status()).isEqualTo("True");
        assertThat(condition(status, "Ready").reason()).isEqualTo("WaitingForAgent");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Installed, status: 'True', reason: InstallationCompleted}  | '' | Ready | ''",
                "{type: Installed, status: 'False', reason: InstallationInProgress} | progress: {currentStage: Rebooting, installationPercentage: 60} | Installing | Rebooting (60%)",
                "{type: Installed, status: 'False', reason: InstallationFailed, message: disk broke} | debugInfo: {state: error, logsURL: 'http://x?api_key=S'} | InstallationFailed | disk broke",
                "{type: Validated, status: 'False', reason: ValidationsFailing, message: failing} | validationsInfo: {network: [{id: ntp-synced, status: failure, message: no NTP}]} | AgentValidationFailed | ntp-synced: no NTP",
                "{type: Connected, status: 'False', reason: AgentIsDisconnected} | debugInfo: {state: disconnected} | AgentDisconnected | check its power",
                "{type: Validated, status: 'False', reason: ValidationsUserPending, message: set the VIPs} | '' | WaitingForInstallation | set the VIPs",
            })
    void whatAssistedServiceSays_isSaidInWordsThatNameTheHost(
            String condition, String more, String reason, String words) {
        OpenshiftAssistedConfigStatus status =
                report(complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                        metadata: {name: a}
                        spec: {hostname: node-7, approved: true}
                        status:
                          conditions: [%s]
                          %s
                        """.formatted(
                                condition, more == null ? "" : more)));

        Condition ready = condition(status, "Ready");
        assertThat(ready.reason()).isEqualTo(reason);
        assertThat(ready.message()).contains(words == null ? "" : words).doesNotContain("api_key=S");
        if (!reason.equals("Ready")) {
            assertThat(ready.message()).contains("Host node-7");
        }
    }

    @Test
    void anInstalledHostThatTheServiceForgets_staysInstalled() {
        OpenshiftAssistedConfigStatus installed =
                report(complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                        metadata: {name: a}
                        status: {conditions: [{type: Installed, status: "True", reason: InstallationCompleted}]}
                        """));
        ConfigObservation forgotten =
                complete().latched().on(metal3("qcow2", "h1")).get();
        forgotten.config().setStatus(installed);

        assertThat(ConfigReport.of(forgotten, ConfigPlan.of(forgotten), CLOCK)).isEqualTo(installed);
    }

    @Test
    void aCleanInstallationMakesNoEvent_aFailureOneAndItsEndAnother() {
        OpenshiftAssistedConfigStatus fine = report(complete());
        OpenshiftAssistedConfigStatus failing =
                report(complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                        metadata: {name: a}
                        status: {conditions: [{type: Validated, status: "False", reason: ValidationsFailing, message: no NTP}]}
                        """));

        assertThat(ConfigEvents.between(null, fine)).isEmpty();
        assertThat(ConfigEvents.between(fine, failing)).singleElement().satisfies(told -> {
            assertThat(told.warning()).isTrue();
            assertThat(told.reason()).isEqualTo("AgentValidationFailed");
            assertThat(told.note()).contains("no NTP");
        });
        assertThat(ConfigEvents.between(failing, failing)).isEmpty();
        assertThat(ConfigEvents.between(failing, fine))
                .extracting(Told::warning, Told::reason)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(false, ConfigEvents.RECOVERED));
    }

    private static OpenshiftAssistedConfigStatus report(Observations seen) {
        ConfigObservation observation = seen.get();
        return ConfigReport.of(observation, ConfigPlan.of(observation), CLOCK);
    }

    private static Condition condition(OpenshiftAssistedConfigStatus status, String type) {
        return Objects.requireNonNull(status.conditions()).stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseThrow();
    }
}
