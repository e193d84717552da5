package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as a transition, and how it is logged. */
class TransitionTest {

    @Test
    void aNewStatusOrReason_isATransition_aNewMessageIsNot() {
        List<Condition> before = List.of(
                condition("AgentApproved", "False", "WaitingForAgent", "no host yet"),
                condition("AgentRegistered", "False", "WaitingForAgent", "no host yet"),
                condition("InfraEnvReady", "False", "WaitingForInfraEnvToBeReady", "since noon"));
        List<Condition> after = List.of(
                condition("AgentApproved", "False", "WaitingForInventory", "no disks yet"),
                condition("AgentRegistered", "True", "AgentRegistered", "Agent a"),
                condition("InfraEnvReady", "False", "WaitingForInfraEnvToBeReady", "since one"));

        assertThat(Transition.between(before, after))
                .containsExactly(
                        new Transition(
                                "AgentApproved",
                                "False (WaitingForAgent)",
                                "False (WaitingForInventory)",
                                "no disks yet"),
                        new Transition(
                                "AgentRegistered", "False (WaitingForAgent)", "True (AgentRegistered)", "Agent a"));
        assertThat(Transition.between(after, after)).isEmpty();
    }

    @Test
    void aConditionThatAppearsLater_isATransition_unlessInItsGoodState() {
        List<Condition> before = List.of(condition("Paused", "False", "NotPaused", ""));
        List<Condition> after = List.of(
                condition("Paused", "False", "NotPaused", ""),
                condition("ScalingDown", "False", "NotScalingDown", ""),
                condition("UpgradeAvailable", "False", "UpgradeImageUnavailable", "no such image"));

        assertThat(Transition.between(before, after))
                .containsExactly(new Transition(
                        "UpgradeAvailable", "absent", "False (UpgradeImageUnavailable)", "no such image"));
    }

    @Test
    void ofTheFirstConditions_thoseThatAreTrueAndTheSummaryAreTransitions() {
        assertThat(Transition.between(
                        null,
                        List.of(
                                condition("DataSecretAvailable", "True", "DataSecretAvailable", ""),
                                condition("Installed", "False", "WaitingForAgent", "no host yet"),
                                condition("Ready", "False", "WaitingForAgent", "no host yet"))))
                .containsExactly(
                        new Transition("DataSecretAvailable", "absent", "True (DataSecretAvailable)", ""),
                        new Transition("Ready", "absent", "False (WaitingForAgent)", "no host yet"));
    }

    @Test
    void aConditionThatDisappears_isATransition() {
        assertThat(Transition.between(List.of(condition("UpgradeAvailable", "True", "UpgradeAvailable", "")), null))
                .containsExactly(new Transition("UpgradeAvailable", "True (UpgradeAvailable)", "absent", ""));
    }

    @Test
    void ready_isReportedForItsStatus_andForReasonsOfItsOwn() {
        List<Condition> waiting = List.of(
                condition("Installed", "False", "WaitingForAgent", ""),
                condition("Ready", "False", "WaitingForAgent", ""));
        List<Condition> installing = List.of(
                condition("Installed", "False", "Installing", ""), condition("Ready", "False", "Installing", ""));
        List<Condition> forbidden = List.of(
                condition("Installed", "False", "Installing", ""),
                condition("Ready", "False", "Forbidden", "grant the right"));

        assertThat(Transition.between(waiting, installing))
                .extracting(Transition::type)
                .containsExactly("Installed");
        assertThat(Transition.between(installing, forbidden))
                .containsExactly(new Transition("Ready", "False (Installing)", "False (Forbidden)", "grant the right"));
        assertThat(Transition.between(forbidden, installing))
                .containsExactly(new Transition("Ready", "False (Forbidden)", "False (Installing)", ""));
        assertThat(Transition.between(installing, List.of(condition("Ready", "True", "Ready", ""))))
                .contains(new Transition("Ready", "False (Installing)", "True (Ready)", ""));
    }

    @Test
    void theLine_namesObjectOwnerStatesAndReason() {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("demo")
                .withName("a")
                .addNewOwnerReference()
                .withKind("Machine")
                .withName("m")
                .endOwnerReference()
                .endMetadata()
                .build();
        Transition transition = Transition.of(
                        new ConditionView("Installed", "False", "Installing", ""),
                        new ConditionView("Installed", "False", "InstallationFailed", "no space\nleft"))
                .orElseThrow();

        assertThat(TransitionLog.line(object, transition))
                .isEqualTo("ConfigMap demo/a of Machine m: Installed from False (Installing) to False"
                        + " (InstallationFailed): no space left");
    }

    private static Condition condition(String type, String status, String reason, String message) {
        return new Condition(type, status, reason, message, "2026-01-01T00:00:00Z", 1L);
    }
}
