package io.capoa.controlplane.steps.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ConditionView;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpToDateStepTest {

    private static final ConditionView OUTDATED = new ConditionView(
            "UpToDate", "False", "NotUpToDate", "* the cluster runs 4.20.3, spec.distributionVersion asks for 4.20.5");

    private static final ConditionView UP_TO_DATE = new ConditionView("UpToDate", "True", "UpToDate", "");

    @Test
    void whatAMachineSaysOfTheRelease_stays_untilTheClusterAnswers() {
        assertThat(UpToDateStep.condition(List.of(), true, OUTDATED)).isEqualTo(OUTDATED);
        assertThat(UpToDateStep.condition(List.of(), true, UP_TO_DATE)).isEqualTo(UP_TO_DATE);
        assertThat(UpToDateStep.condition(List.of(), false, OUTDATED)).isEqualTo(UP_TO_DATE);
    }

    @Test
    void aDifferenceOfTheMachine_isSaidWhateverTheClusterAnswers() {
        assertThat(List.of(true, false))
                .allSatisfy(unanswered -> assertThat(
                                UpToDateStep.condition(List.of("spec.x differs"), unanswered, UP_TO_DATE))
                        .isEqualTo(new ConditionView("UpToDate", "False", "NotUpToDate", "* spec.x differs")));
    }

    @Test
    void aMachineWithoutTheCondition_getsOne() {
        assertThat(UpToDateStep.condition(List.of(), true, null)).isEqualTo(UP_TO_DATE);
    }
}
