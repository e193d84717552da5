package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which control planes are reconciled first when many wait. */
class ReportingTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                                      | 0
            {status: {conditions: [{type: Ready, status: 'False', reason: Installing}]}}            | 1
            {status: {initialization: {controlPlaneInitialized: true}}}                             | 2
            {status: {initialization: {controlPlaneInitialized: true}, conditions: [\
            {type: Ready, status: 'False', reason: NotHealthy}, \
            {type: InstallSucceeding, status: 'True', reason: InstallCompleted}]}}                  | 2
            {status: {initialization: {controlPlaneInitialized: true}, conditions: [\
            {type: Ready, status: 'True', reason: Ready}, \
            {type: InstallSucceeding, status: 'True', reason: InstallCompleted}]}}                  | 0
            """)
    void installations_comeInTheOrderOfTheirProgress_completeOnesAsNewOnes(String yaml, int stage) {
        OpenshiftAssistedControlPlane controlPlane =
                Serialization.unmarshal("---\n" + yaml, OpenshiftAssistedControlPlane.class);

        assertThat(Reporting.stage(controlPlane)).isEqualTo(stage);
    }
}
