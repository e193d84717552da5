package io.capoa.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.lab.conformance.ClusterManifest.InfrastructureKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Versions of two watches, which arrive in any order. */
class MachineHistoryTest {

    private static final InfrastructureKind KIND = new InfrastructureKind("example.com", "ExampleMachine");

    private final MachineHistory history = new MachineHistory();

    @Test
    void aMachineThatIsProvisionedAfterItsData_isInOrder_whicheverWatchIsFirst() {
        history.machine(KIND, infrastructure(12));
        assertThat(breaches(history.histories())).isEmpty();

        history.owner(machine(10, "data"));
        assertThat(breaches(history.histories())).isEmpty();
        assertThat(breaches(history.finalHistories())).isEmpty();
    }

    @Test
    void aMachineThatIsProvisionedBeforeItsData_isABreach() {
        history.owner(machine(9, ""));
        history.machine(KIND, infrastructure(12));
        assertThat(breaches(history.histories())).as("not known yet").isEmpty();
        history.owner(machine(15, "data"));
        history.owner(machine(20, "data"));

        assertThat(breaches(history.histories())).singleElement().asString().startsWith("ExampleMachine m: ");
    }

    @Test
    void aMachineThatNeverGotData_isABreachInTheEnd() {
        history.owner(machine(9, ""));
        history.machine(KIND, infrastructure(12));

        assertThat(breaches(history.finalHistories())).hasSize(1);
    }

    @Test
    void anOlderVersion_isIgnored() {
        history.machine(KIND, infrastructure(12));
        history.machine(KIND, infrastructure(11));

        assertThat(history.histories())
                .singleElement()
                .satisfies(moments -> assertThat(moments).hasSize(1));
    }

    private static List<Breach> breaches(List<List<HistoryRules.Moment>> histories) {
        return histories.stream()
                .flatMap(moments -> HistoryRules.order(moments).stream())
                .toList();
    }

    private static GenericKubernetesResource infrastructure(int version) {
        return Serialization.unmarshal("""
                apiVersion: example.com/v1
                kind: ExampleMachine
                metadata: {name: m, uid: "1", resourceVersion: "%d"}
                spec: {providerID: example://i-1}
                status: {initialization: {provisioned: true}}
                """.formatted(version), GenericKubernetesResource.class);
    }

    private static Machine machine(int version, String data) {
        return Serialization.unmarshal("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: m, resourceVersion: "%d"}
                spec:
                  bootstrap: {dataSecretName: "%s"}
                  infrastructureRef: {apiGroup: example.com, kind: ExampleMachine, name: m}
                """.formatted(version, data), Machine.class);
    }
}
