package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many workers are installed together with the control plane. */
class WorkersTest {

    private static final String OURS =
            "template: {spec: {bootstrap: {configRef: {kind: OpenshiftAssistedConfigTemplate, name: a}}}}";

    @Test
    void deploymentsCountTheirReplicas_absentReplicasAreOne() {
        Workers workers = new Workers(
                List.of(deployment("{replicas: 2, " + OURS + "}"), deployment("{" + OURS + "}"), deployment("{}")),
                List.of(),
                List.of());
        assertThat(workers.count()).isEqualTo(4);
    }

    @Test
    void aMachineSetOfADeployment_isNotCountedTwice_aStandaloneOneIsCounted() {
        String controlled =
                "ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, name: md, uid: u, controller: true}]";
        Workers workers = new Workers(
                List.of(deployment("{replicas: 2, " + OURS + "}")),
                List.of(
                        set("metadata: {name: md-a, " + controlled + "}", "{replicas: 2, " + OURS + "}"),
                        set("metadata: {name: own}", "{replicas: 3, " + OURS + "}")),
                List.of());
        assertThat(workers.count()).isEqualTo(5);
    }

    @Test
    void standaloneMachinesCount_controlledOnesDoNot() {
        Workers workers = new Workers(
                List.of(),
                List.of(),
                List.of(
                        machine(
                                "{name: a}",
                                "{configRef: {kind: OpenshiftAssistedConfig, name: a}, dataSecretName: a}"),
                        machine(
                                "{name: b, labels: {cluster.x-k8s.io/set-name: s}}",
                                "{configRef: {kind: OpenshiftAssistedConfig}}"),
                        machine(
                                "{name: c, labels: {cluster.x-k8s.io/control-plane: ''}}",
                                "{configRef: {kind: OpenshiftAssistedConfig}}"),
                        machine(
                                "{name: d, ownerReferences: [{apiVersion: v1, kind: MachinePool, name: p, uid: u, controller: true}]}",
                                "{configRef: {kind: OpenshiftAssistedConfig}}")));
        assertThat(workers.count()).isEqualTo(1);
    }

    @Test
    void otherBootstrapProviders_andObjectsBeingDeleted_doNotCount() {
        Workers workers = new Workers(
                List.of(
                        deployment(
                                "{replicas: 2, template: {spec: {bootstrap: {configRef: {kind: KubeadmConfigTemplate}}}}}"),
                        deployment("{replicas: 2, template: {spec: {bootstrap: {dataSecretName: mine}}}}")),
                List.of(set(
                        "metadata: {name: s, deletionTimestamp: '2026-01-01T00:00:00Z'}",
                        "{replicas: 3, " + OURS + "}")),
                List.of(machine("{name: a}", "{dataSecretName: mine}")));
        assertThat(workers.count()).isZero();
        assertThat(Workers.none().count()).isZero();
    }

    private static MachineDeployment deployment(String spec) {
        return Objects.read(MachineDeployment.class, "metadata: {name: md}\nspec: " + spec);
    }

    private static MachineSet set(String metadata, String spec) {
        return Objects.read(MachineSet.class, metadata + "\nspec: " + spec);
    }

    private static Machine machine(String metadata, String bootstrap) {
        return Objects.readWorker("metadata: " + metadata + "\nspec: {bootstrap: " + bootstrap + "}");
    }
}
