package io.capoa.api.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissingFieldsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                              | spec.distributionVersion
            {distributionVersion: 4.20.0}                                   | spec.machineTemplate
            {distributionVersion: 4.20.0, machineTemplate: {}}              | spec.machineTemplate.spec
            {distributionVersion: 4.20.0, machineTemplate: {spec: {infrastructureRef: {kind: K, name: n}}}} | spec.machineTemplate.spec.infrastructureRef.apiGroup
            {distributionVersion: 4.20.0, machineTemplate: {spec: {infrastructureRef: {apiGroup: g, kind: K, name: n}}}, arbiter: {}} | spec.arbiter.replicas
            {distributionVersion: 4.20.0, machineTemplate: {spec: {infrastructureRef: {apiGroup: g, kind: K, name: n}}}, config: {baseDomain: d, apiVIPs: [a, null]}} | spec.config.apiVIPs[1]
            {distributionVersion: 4.20.0, machineTemplate: {spec: {infrastructureRef: {apiGroup: g, kind: K, name: n}}}} |
            """)
    void theFirstRequiredFieldThatIsAbsent_isNamed(String spec, String missing) throws Exception {
        var read = new YAMLMapper().readValue(spec, OpenshiftAssistedControlPlaneSpec.class);

        assertThat(MissingFields.first("spec", read).orElse(null)).isEqualTo(missing);
    }

    @Test
    void aRemedyIsNamedOnce() {
        assertThat(MissingFields.withRemedy("spec.a is missing", "correct it"))
                .isEqualTo("spec.a is missing: correct it");
        assertThat(MissingFields.withRemedy("spec is not held: delete some", "correct it"))
                .isEqualTo("spec is not held: delete some");
    }

    @Test
    void anAbsentSpec_isMissing() {
        assertThat(MissingFields.first("spec", null)).contains("spec");
    }
}
