package io.capoa.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContractsTest {

    @ParameterizedTest
    @CsvSource({
        "Metal3MachineTemplate, metal3machinetemplates",
        "Policy, policies",
        "Gateway, gateways",
        "Class, classes",
        "Box, boxes"
    })
    void pluralsAreThoseOfClusterApi(String kind, String plural) {
        assertThat(Contracts.plural(kind)).isEqualTo(plural);
    }

    @ParameterizedTest
    @CsvSource({"v1beta1_v1beta2, v1beta2", "v1_v1beta9, v1", "v1alpha10_v1alpha9, v1alpha10", "v2_v10, v10"})
    void theNewestVersionOfTheLabelCounts(String label, String version) {
        assertThat(Contracts.newest(label)).contains(version);
    }

    @Test
    void aLabelWithoutAVersion_namesNone() {
        assertThat(Contracts.newest("true")).isEmpty();
    }
}
