package io.capoa.controlplane.steps.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ConditionView;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UpToDateStepTest {

    private static final String RELEASE = "the cluster runs 4.20.3, spec.distributionVersion asks for 4.20.5";

    private static final ConditionView OUTDATED = new ConditionView("UpToDate", "False", "NotUpToDate", "* " + RELEASE);

    private static final ConditionView UP_TO_DATE = new ConditionView("UpToDate", "True", "UpToDate", "");

    @Test
    void whatAMachineSaysOfTheRelease_stays_untilTheClusterAnswers() {
        assertThat(UpToDateStep.condition(List.of(), Optional.empty(), true, OUTDATED))
                .isEqualTo(OUTDATED);
        assertThat(UpToDateStep.condition(List.of(), Optional.of(RELEASE), true, UP_TO_DATE))
                .as("a status that is held back still has the upgrade")
                .isEqualTo(UP_TO_DATE);
        assertThat(UpToDateStep.condition(List.of(), Optional.empty(), false, OUTDATED))
                .isEqualTo(UP_TO_DATE);
        assertThat(UpToDateStep.condition(List.of(), Optional.of(RELEASE), false, UP_TO_DATE))
                .isEqualTo(OUTDATED);
    }

    @Test
    void aDifferenceOfTheMachine_isSaidWhateverTheClusterAnswers() {
        assertThat(List.of(true, false))
                .allSatisfy(unanswered -> assertThat(UpToDateStep.condition(
                                List.of("spec.x differs"), Optional.empty(), unanswered, UP_TO_DATE))
                        .isEqualTo(new ConditionView("UpToDate", "False", "NotUpToDate", "* spec.x differs")));
    }

    @Test
    void aMachineWithoutTheCondition_getsOne() {
        assertThat(UpToDateStep.condition(List.of(), Optional.empty(), true, null))
                .isEqualTo(UP_TO_DATE);
        assertThat(UpToDateStep.condition(List.of(), Optional.of(RELEASE), true, null))
                .isEqualTo(OUTDATED);
    }
}
