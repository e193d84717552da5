package io.capoa.bootstrap.config.report;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus.Host;
import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.EventReasons;
import io.capoa.api.contract.Agent;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.config.plan.ConfigPlan;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.events.RecordedEvent;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
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

    @Test
    void settingsOfTheHostThatNothingReads_areWarnedOf_onceItsAgentIsApproved() {
        Metal3Infrastructure annotated = (Metal3Infrastructure) metal3("qcow2", "h1");
        Objects.requireNonNull(annotated.bareMetalHost())
                .getMetadata()
                .setAnnotations(Map.of("bmac.agent-install.openshift.io/ignition-config-overrides", ""));

        Condition approved =
                condition(report(complete().latched().on(annotated).itsAgent("metadata: {name: a}")), "AgentApproved");

        assertThat(approved.status()).isEqualTo("True");
        assertThat(approved.reason()).isEqualTo("HostSettingsIgnored");
        assertThat(approved.message()).contains("bmac.agent-install.openshift.io/ignition-config-overrides");
    }

    @Test
    void networkSettingsOfOtherNamespaces_areWarnedOf_withoutTheirNames() {
        OpenshiftAssistedConfigStatus status = report(complete()
                .spec("{nmStateConfigLabelSelector: {matchLabels: {host: h1, net: a}}}")
                .foreignNetwork(2));

        Condition infraEnv = condition(status, "InfraEnvReady");
        assertThat(infraEnv.status()).isEqualTo("True");
        assertThat(infraEnv.reason()).isEqualTo("ForeignNetworkSettings");
        assertThat(infraEnv.message())
                .contains(
                        "NMStateConfigs of other namespaces as well (2)", "-l 'host=h1,net=a'", "of namespace ns have");
        assertThat(ConfigEvents.between(report(complete()), status))
                .extracting(RecordedEvent::reason)
                .containsExactly("ForeignNetworkSettings");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Installed, status: 'True', reason: InstallationCompleted}  | '' | Ready | ''",
                "{type: Installed, status: 'False', reason: InstallationInProgress} | progress: {currentStage:"
                        + " Rebooting, installationPercentage: 60} | Installing | Rebooting (60%)",
                "{type: Installed, status: 'False', reason: InstallationFailed, message: disk broke} | debugInfo:"
                        + " {state: error, logsURL: 'http://x?api_key=S'} | InstallationFailed | disk broke",
                "{type: Validated, status: 'False', reason: ValidationsFailing, message: failing} | validationsInfo:"
                        + " {network: [{id: ntp-synced, status: failure, message: no NTP}]} | AgentValidationFailed |"
                        + " ntp-synced: no NTP",
                "{type: Connected, status: 'False', reason: AgentIsDisconnected} | debugInfo: {state: disconnected} |"
                        + " AgentDisconnected | check its power",
                "{type: Validated, status: 'False', reason: ValidationsUserPending, message: set the VIPs} | '' |"
                        + " WaitingForInstallation | set the VIPs",
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                                 | 0
            {status: {conditions: [{type: Ready, status: 'False', reason: R}]}}                | 0
            {status: {initialization: {dataSecretCreated: true}}}                              | 1
            {status: {initialization: {dataSecretCreated: true}, conditions: [\
            {type: AgentRegistered, status: 'True', reason: R}]}}                              | 2
            {status: {initialization: {dataSecretCreated: true}, conditions: [\
            {type: AgentRegistered, status: 'True', reason: R}, \
            {type: Ready, status: 'True', reason: R}]}}                                        | 0
            """)
    void configs_areReconciledInTheOrderOfTheirProgress_readyOnesAsNewOnes(String yaml, int stage) {
        assertThat(ConfigReport.stage(Serialization.unmarshal("---\n" + yaml, OpenshiftAssistedConfig.class)))
                .isEqualTo(stage);
    }

    @Test
    void checksThatHaveJustBegunToFail_areNoFailure() {
        ConfigObservation seen =
                complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                    metadata: {name: a}
                    spec: {hostname: node-7, approved: true}
                    status:
                      conditions: [{type: Validated, status: 'False', reason: ValidationsFailing, message: failing}]
                      validationsInfo:
                        network: [{id: ntp-synced, status: failure, message: no NTP}, {id: mtu-valid, status: pending}]
                    """).get();

        Condition ready = condition(report(seen, false), "Ready");

        assertThat(ready.reason()).isEqualTo("WaitingForInstallation");
        assertThat(ready.message())
                .isEqualTo("Host node-7: assisted-service is still validating it; failing so far: ntp-synced");
        assertThat(ConfigEvents.between(null, report(seen, false))).isEmpty();
    }

    @Test
    void aHostThatFailsWithItsCluster_isNotToBlame() {
        OpenshiftAssistedConfigStatus status = report(complete()
                .latched()
                .on(metal3("qcow2", "h1"))
                .itsAgent(failed("Host is part of a cluster that failed to install")));

        assertThat(condition(status, "Ready").reason()).isEqualTo("ClusterInstallationFailed");
        assertThat(condition(status, "Ready").message()).contains("the conditions of the control plane say why");
        assertThat(ConfigEvents.between(null, status)).isEmpty();
    }

    @Test
    void toDeleteTheMachine_isTheAdviceForAHostThatJoinsAnInstalledCluster() {
        ConfigObservations failed =
                complete().latched().on(metal3("qcow2", "h1")).itsAgent(failed("disk broke"));

        assertThat(condition(report(failed), "Ready").message())
                .isEqualTo("Host node-7: the installation failed: disk broke");
        assertThat(condition(report(failed.installed()), "Ready").message())
                .endsWith("disk broke. Delete the Machine to have the host installed again");
    }

    @Test
    void aFailureThatTheServiceStatesThreeTimes_isStatedOnce() {
        ConfigObservations failed = complete()
                .latched()
                .on(metal3("qcow2", "h1"))
                .itsAgent(failed("Failed - failed at stage Writing image to disk"));

        assertThat(condition(report(failed), "Ready").message())
                .isEqualTo("Host node-7 failed at stage Writing image to disk");
    }

    private static String failed(String why) {
        return """
            metadata: {name: a}
            spec: {hostname: node-7, approved: true}
            status:
              debugInfo: {state: error}
              conditions:
              - {type: Installed, status: 'False', reason: InstallationFailed, message: 'The installation has failed: %s'}
            """.formatted(why);
    }

    @Test
    void theHost_hasNameStageAndPercentage_andKeepsItsNameOnceInstalled() {
        OpenshiftAssistedConfigStatus waiting = report(host("InstallationNotStarted", "Rebooting", 60));
        OpenshiftAssistedConfigStatus installing = report(host("InstallationInProgress", "Rebooting", 60));
        OpenshiftAssistedConfigStatus failed = report(host("InstallationFailed", "Rebooting", 60));
        ConfigObservation done = host("InstallationCompleted", "Done", 100).get();
        done.config().setStatus(installing);

        assertThat(report(complete()).host()).isNull();
        assertThat(waiting.host()).isEqualTo(new Host("node-7", null, null));
        assertThat(installing.host()).isEqualTo(new Host("node-7", "Rebooting", 60));
        assertThat(failed.host()).isEqualTo(new Host("node-7", "Rebooting", 60));
        assertThat(report(done, true).host()).isEqualTo(new Host("node-7", null, null));
    }

    @Test
    void aChangeOfTheAgentThatChangesNoCondition_changesNothing() {
        OpenshiftAssistedConfigStatus installed = report(host("InstallationCompleted", "Done", 100));
        ConfigObservation renamed = host("InstallationCompleted", "Joined", 90).get();
        renamed.config()
                .setStatus(new OpenshiftAssistedConfigStatus(
                        installed.initialization(), installed.dataSecretName(), 1L, installed.conditions()));

        assertThat(report(renamed, true))
                .as("as an earlier release wrote it")
                .isEqualTo(renamed.config().getStatus());
        assertThat(report(host("InstallationNotStarted", "Rebooting", 70)))
                .isEqualTo(report(host("InstallationNotStarted", "Rebooting", 60)));
    }

    @Test
    void aNameThatTheSchemaRefuses_isCut() {
        Host host = report(complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                    metadata: {name: a}
                    spec: {approved: true, hostname: '%s'}
                    """.formatted("x".repeat(300))))
                .host();

        assertThat(Objects.requireNonNull(host).name()).hasSize(253);
        assertThat(report(complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                    metadata: {name: a}
                    spec: {approved: true, hostname: ''}
                    """))
                        .host())
                .isNull();
    }

    private static ConfigObservations host(String reason, String stage, int percent) {
        return complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                    metadata: {name: a}
                    spec: {hostname: node-7, approved: true}
                    status:
                      progress: {currentStage: %s, installationPercentage: %d}
                      conditions: [{type: Installed, status: '%s', reason: %s, message: ''}]
                    """.formatted(
                        stage, percent, reason.equals("InstallationCompleted") ? "True" : "False", reason));
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

        assertThat(ConfigReport.of(forgotten, ConfigPlan.of(forgotten), Verdict.PASSING, CLOCK))
                .isEqualTo(installed);
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
        assertThat(ConfigEvents.between(fine, failing)).singleElement().satisfies(event -> {
            assertThat(event.warning()).isTrue();
            assertThat(event.reason()).isEqualTo("AgentValidationFailed");
            assertThat(event.note()).contains("no NTP");
        });
        assertThat(ConfigEvents.between(failing, failing)).isEmpty();
        assertThat(ConfigEvents.between(failing, fine))
                .extracting(RecordedEvent::warning, RecordedEvent::reason)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(false, EventReasons.RECOVERED));
    }

    private static OpenshiftAssistedConfigStatus report(ConfigObservations seen) {
        return report(seen.get(), true);
    }

    /** The status when the host's failing checks have lasted, or when they have just begun to fail. */
    private static OpenshiftAssistedConfigStatus report(ConfigObservation seen, boolean lasting) {
        ConfigPlan plan = ConfigPlan.of(seen);
        Agent agent = plan.agents().choice().agent();
        List<FailedValidation> failing = agent == null ? List.of() : HostReport.failing(agent);
        Verdict checks = lasting ? new Verdict(failing, List.of(), null) : new Verdict(List.of(), failing, null);
        return ConfigReport.of(seen, plan, checks, CLOCK);
    }

    private static Condition condition(OpenshiftAssistedConfigStatus status, String type) {
        return Objects.requireNonNull(status.conditions()).stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseThrow();
    }
}
