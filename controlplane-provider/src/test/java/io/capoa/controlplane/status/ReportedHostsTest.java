package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.controlplane.observe.CachedObjects;
import io.capoa.controlplane.testing.Objects;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The message while an installation waits for its hosts. */
class ReportedHostsTest {

    @Test
    void countsRegisteredHosts_andNamesTheMissing() {
        assertThat(ReportedHosts.message(List.of(config("a", true), config("b", false), config("c", null)), 3))
                .isEqualTo("1 of 3 hosts have reported to assisted-service; see OpenshiftAssistedConfig b, c");
    }

    @Test
    void hostsWithoutAConfig_areCounted() {
        assertThat(ReportedHosts.message(List.of(config("a", true)), 5))
                .isEqualTo("1 of 5 hosts have reported to assisted-service");
    }

    @Test
    void whenAllHaveReported_theServiceValidates() {
        assertThat(ReportedHosts.message(List.of(config("a", true)), 1))
                .isEqualTo("the host has reported to assisted-service, which validates the cluster");
    }

    @Test
    void aLongListOfNames_isTruncated() {
        List<OpenshiftAssistedConfig> configs = new ArrayList<>();
        for (int n = 0; n < 7; n++) {
            configs.add(config("w" + n, false));
        }

        assertThat(ReportedHosts.message(configs, 0)).endsWith("OpenshiftAssistedConfig w0, w1, w2, w3, w4 and 2 more");
    }

    @Test
    void hostsThatNeedAPerson_areNamedByTheirMachine_withWhatIsWrong() {
        assertThat(ReportedHosts.message(
                        List.of(
                                config("a", true),
                                blocked(
                                        "b",
                                        "AgentRegistered",
                                        "True",
                                        "AgentValidationFailed",
                                        "Host h1 fails.\\n* name."),
                                blocked("c", "AgentRegistered", "False", "WrongHost", "Host h2 is another")),
                        3))
                .isEqualTo("2 of 3 hosts have reported to assisted-service; Machine m-b: Host h1 fails. name;"
                        + " Machine m-c: Host h2 is another");
        assertThat(ReportedHosts.message(
                        List.of(blocked("b", "AgentRegistered", "True", "AgentDisconnected", "Host h1 is gone")), 1))
                .isEqualTo("the host has reported to assisted-service; Machine m-b: Host h1 is gone");
    }

    @Test
    void aHostOnItsWay_orThatFailed_isNotAmongThem() {
        assertThat(BlockedHosts.message(List.of(
                        blocked("a", "AgentRegistered", "True", "WaitingForInstallation", "Host h1: validating"),
                        blocked("b", "AgentRegistered", "False", "WaitingForAgent", "No host has reported"),
                        blocked("c", "AgentRegistered", "True", "InstallationFailed", "Host h2 failed"))))
                .isEmpty();
    }

    @Test
    void aSecondHostWithTheMedia_isNamed_becauseTheInstallationWaitsForItsApproval() {
        OpenshiftAssistedConfig config = CachedObjects.pruned(Objects.read(OpenshiftAssistedConfig.class, """
                metadata: {name: a, ownerReferences: [{kind: Machine, name: m-a}]}
                status:
                  conditions:
                  - {type: AgentApproved, status: 'True', reason: DuplicateAgent, message: Agent x too, lastTransitionTime: "2026-01-01T00:00:00Z"}
                """));

        assertThat(BlockedHosts.message(List.of(config))).contains("Machine m-a: Agent x too");
    }

    @Test
    void ofManyHosts_threeAreDescribed_eachByTheBeginningOfItsMessage() {
        List<OpenshiftAssistedConfig> configs = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            configs.add(blocked(name, "AgentRegistered", "True", "AgentValidationFailed", "x".repeat(4096)));
        }

        assertThat(BlockedHosts.message(configs))
                .hasValueSatisfying(message -> assertThat(message)
                        .contains("Machine m-c: x", "…; 2 more hosts are not ready")
                        .doesNotContain("m-d")
                        .hasSizeLessThan(1024));
    }

    private static OpenshiftAssistedConfig blocked(
            String name, String type, String status, String reason, String message) {
        return CachedObjects.pruned(
                Objects.read(OpenshiftAssistedConfig.class, """
                metadata: {name: %1$s, ownerReferences: [{kind: Machine, name: m-%1$s}]}
                status:
                  conditions:
                  - {type: %2$s, status: '%3$s', reason: %4$s, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
                  - {type: Ready, status: 'False', reason: %4$s, message: "%5$s", lastTransitionTime: "2026-01-01T00:00:00Z"}
                """.formatted(name, type, status, reason, message)));
    }

    private static OpenshiftAssistedConfig config(String name, @Nullable Boolean reported) {
        var config = new OpenshiftAssistedConfig();
        config.getMetadata().setName(name);
        if (reported != null) {
            config.setStatus(new OpenshiftAssistedConfigStatus(
                    null,
                    null,
                    null,
                    List.of(new Condition(
                            "AgentRegistered",
                            reported ? "True" : "False",
                            "Reason",
                            "",
                            "2026-01-01T00:00:00Z",
                            1L))));
        }
        return config;
    }
}
