package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.upgrade.OperatorFault;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradeFaultsTest {

    @ParameterizedTest
    @CsvSource({
        "lab.capoa.io/fail, Available, UNAVAILABLE",
        "lab.capoa.io/fail, Degraded, DEGRADED",
        "lab.capoa.io/fail, Upgradeable, NONE",
        "lab.capoa.io/hold, '', STUCK",
        "note, a, NONE"
    })
    void anOperatorsFault_isItsAnnotation(String name, String value, OperatorFault fault) {
        assertThat(UpgradeFaults.of(annotated(name, value))).isEqualTo(fault);
    }

    @Test
    void listsOfVersions_mayHaveBlanks() {
        assertThat(UpgradeFaults.unsigned(annotated(UpgradeFaults.UNSIGNED, "4.20.5, 4.20.6,")))
                .containsExactlyInAnyOrder("4.20.5", "4.20.6");
        assertThat(UpgradeFaults.risks(annotated(UpgradeFaults.RISKS, "4.20.5=SlowBoot, 4.20.6")))
                .isEqualTo(Map.of("4.20.5", "SlowBoot", "4.20.6", "SomeRisk"));
        assertThat(UpgradeFaults.unsigned(Map.of())).isEmpty();
    }

    private static Map<String, Object> annotated(String name, String value) {
        return Map.of("metadata", Map.of("annotations", Map.of(name, value)));
    }
}
