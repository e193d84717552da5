package io.capoa.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RemediationBudgetTest {

    @Test
    void withoutARule_allMayBeUnhealthy() {
        assertThat(budget(Map.of()).refusal(3, 3)).isNull();
        assertThat(budget(Map.of()).left(3, 1)).isEqualTo(2);
    }

    @Test
    void aLimitIsANumberOrAPercentageRoundedDown() {
        assertThat(budget(Map.of("unhealthyLessThanOrEqualTo", 1)).refusal(3, 1))
                .isNull();
        assertThat(budget(Map.of("unhealthyLessThanOrEqualTo", 1)).refusal(3, 2))
                .contains("unhealthyLessThanOrEqualTo: 1", "total: 3", "unhealthy: 2");
        assertThat(budget(Map.of("unhealthyLessThanOrEqualTo", "40%")).refusal(3, 1))
                .isNull();
        assertThat(budget(Map.of("unhealthyLessThanOrEqualTo", "30%")).refusal(3, 1))
                .isNotNull();
    }

    @Test
    void aRangeHasBothBounds() {
        RemediationBudget budget = budget(Map.of("unhealthyInRange", "[2-3]"));

        assertThat(budget.refusal(5, 1)).contains("unhealthyInRange: [2-3]");
        assertThat(budget.refusal(5, 2)).isNull();
        assertThat(budget.refusal(5, 4)).isNotNull();
        assertThat(budget.left(5, 2)).isEqualTo(1);
    }

    private static RemediationBudget budget(Map<String, Object> triggerIf) {
        MachineHealthCheck check = new MachineHealthCheck();
        check.setAdditionalProperties(Map.of("spec", Map.of("remediation", Map.of("triggerIf", triggerIf))));
        return RemediationBudget.of(check);
    }
}
