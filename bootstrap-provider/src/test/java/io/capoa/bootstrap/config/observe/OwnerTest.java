package io.capoa.bootstrap.config.observe;

import static io.capoa.bootstrap.config.observe.ConfigObservations.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerTest {

    private static final OpenshiftAssistedConfig CONFIG = yaml("""
            metadata:
              namespace: ns
              name: c1
              uid: config-uid
              ownerReferences:
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m1, uid: machine-uid}
            """, OpenshiftAssistedConfig.class);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            machine-uid | OpenshiftAssistedConfig | c1 | Of
            another-uid | OpenshiftAssistedConfig | c1 | Gone
            machine-uid | OpenshiftAssistedConfig | c2 | Unset
            machine-uid | OtherConfig             | c1 | Unset
            """)
    void theMachineAndTheConfig_nameEachOther(String uid, String kind, String name, String owner) {
        Machine machine = yaml(
                "{metadata: {namespace: ns, name: m1, uid: %s}, spec: {bootstrap: {configRef: {kind: %s, name: %s}}}}"
                        .formatted(uid, kind, name),
                Machine.class);

        assertThat(Owner.of(CONFIG, Owner.reference(CONFIG).orElseThrow(), machine)
                        .getClass()
                        .getSimpleName())
                .isEqualTo(owner);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: c1}                                        | true
            labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: c2}                                        | false
            ownerReferences: [{kind: OpenshiftAssistedConfig, name: c1, uid: config-uid}]                           | true
            ownerReferences: [{kind: OpenshiftAssistedConfig, name: c1, uid: other}], labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: c1} | false
            """)
    void anInfraEnvBelongsToTheConfigWithThatUid(String metadata, boolean belongs) {
        InfraEnv infraEnv = yaml("{metadata: {namespace: ns, name: m1, %s}}".formatted(metadata), InfraEnv.class);

        assertThat(DesiredInfraEnv.belongsTo(infraEnv, CONFIG)).isEqualTo(belongs);
    }
}
