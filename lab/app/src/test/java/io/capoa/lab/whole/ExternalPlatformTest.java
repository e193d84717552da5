package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.provider.Dist;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Platform External on an infrastructure provider other than Metal3, with the user's cloud controller manager. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class ExternalPlatformTest {

    private static final String SAMPLE = "external";
    private static final String UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

    @Test
    void aCluster_becomesReady_withNodesThatTheCloudControllerManagerInitialised(WholeLab lab) {
        String namespace = lab.namespace(0);
        lab.apply(namespace, WholeLab.sample(SAMPLE));
        lab.awaitReady(namespace);

        List<Machine> machines = lab.machines(namespace);
        assertThat(machines)
                .hasSize(5)
                .allSatisfy(machine ->
                        assertThat(Fields.string(machine, "spec", "providerID")).startsWith("labcloud:///lab-north"));
        assertThat(machines.stream()
                        .filter(machine -> machine.getMetadata().getName().startsWith("external-")
                                && !machine.getMetadata().getName().contains("worker"))
                        .map(machine -> Fields.string(machine, "spec", "failureDomain"))
                        .collect(Collectors.toSet()))
                .as("a control plane in each zone")
                .isEqualTo(Set.of("lab-northa", "lab-northb", "lab-northc"));
        try (KubernetesClient cluster = lab.workload(namespace, SAMPLE)) {
            assertThat(cluster.nodes().list().getItems())
                    .hasSize(5)
                    .allSatisfy(node -> assertThat(taints(node)).doesNotContain(UNINITIALIZED))
                    .allSatisfy(node ->
                            assertThat(node.getMetadata().getLabels()).containsKey("topology.kubernetes.io/zone"));
        }
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, SAMPLE, "CloudControllerManagerReady"))
                        .hasValueSatisfying(
                                condition -> assertThat(condition.status()).isEqualTo("True")));
    }

    @Test
    void anImageThatCannotBePulled_isNamedWhileNodesWait_andTheControlPlaneIsAvailable(WholeLab lab) {
        String namespace = lab.namespace(0);
        lab.apply(
                namespace,
                WholeLab.sample(SAMPLE)
                        .replace("quay.io/example/lab-cloud-controller-manager:v1", "unreachable.example/ccm:v1"));

        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, SAMPLE, "CloudControllerManagerReady"))
                        .hasValueSatisfying(condition -> {
                            assertThat(condition.status()).isEqualTo("False");
                            assertThat(condition.message())
                                    .contains(
                                            "Deployment openshift-cloud-controller-manager/lab-cloud-controller-manager",
                                            "unreachable.example/ccm:v1",
                                            "ImagePullBackOff",
                                            UNINITIALIZED);
                        }));
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, SAMPLE, "Available"))
                        .hasValueSatisfying(
                                condition -> assertThat(condition.status()).isEqualTo("True")));
    }

    @Test
    void aCloudControllerManagerThatDoesNotTolerateTheTaint_isRefusedBeforeAHostBoots(WholeLab lab) {
        String namespace = lab.namespace(0);
        lab.apply(
                namespace,
                WholeLab.sample(SAMPLE)
                        .replace(
                                "            - key: node.cloudprovider.kubernetes.io/uninitialized\n"
                                        + "              operator: Exists\n"
                                        + "              effect: NoSchedule\n",
                                ""));

        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, SAMPLE, "Ready"))
                        .hasValueSatisfying(condition -> assertThat(condition.message())
                                .contains("lab-cloud-controller-manager", UNINITIALIZED)));
        assertThat(lab.machines(namespace))
                .allSatisfy(machine ->
                        assertThat(Fields.string(machine, "spec", "providerID")).isNull());
    }

    @Test
    void theClusterTemplate_withTheKindsOfTheCloud_becomesReady(WholeLab lab) throws IOException {
        Map<String, String> values = Map.ofEntries(
                Map.entry("CLUSTER_NAME", "shop"),
                Map.entry("BASE_DOMAIN", "lab.example"),
                Map.entry("PLATFORM_NAME", "lab-cloud"),
                Map.entry("CLOUD_MANIFESTS_NAME", "external-cloud-controller-manager"),
                Map.entry("INFRASTRUCTURE_GROUP", "infrastructure.lab.capoa.io"),
                Map.entry("INFRASTRUCTURE_VERSION", "v1beta1"),
                Map.entry("INFRASTRUCTURE_CLUSTER_KIND", "LabCloudCluster"),
                Map.entry("INFRASTRUCTURE_MACHINE_KIND", "LabCloudMachine"),
                Map.entry("INFRASTRUCTURE_CLUSTER_SPEC", "{region: lab-north}"),
                Map.entry("CONTROL_PLANE_MACHINE_SPEC", "{image: rhcos-4.20, instanceType: large}"),
                Map.entry("WORKER_MACHINE_SPEC", "{image: rhcos-4.20}"));
        Dist dist = Dist.current(ProjectRoot.find());
        String template = Files.readString(dist.folder()
                .resolve("control-plane-openshift-assisted/" + dist.version() + "/cluster-template-external.yaml"));
        String namespace = lab.namespace(0);
        lab.apply(namespace, inputs(WholeLab.sample(SAMPLE)));
        lab.apply(namespace, Variables.fill(template, values));

        lab.awaitReady(namespace);

        assertThat(lab.machines(namespace))
                .hasSize(5)
                .allSatisfy(machine ->
                        assertThat(Fields.string(machine, "spec", "providerID")).startsWith("labcloud:///lab-north"));
    }

    /** Pull secret and cloud controller manager of the sample. */
    private static String inputs(String sample) {
        return Arrays.stream(sample.split("(?m)^---\\s*$"))
                .filter(document -> document.contains("\nkind: Secret\n") || document.contains("\nkind: ConfigMap\n"))
                .collect(Collectors.joining("\n---\n"));
    }

    /** A cloud controller manager does not know Metal3's hosts, so that kubelets set the provider IDs. */
    @Test
    void controlPlanesOfMetal3_getWorkersOfTheCloud(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.apply(namespace, MixedCluster.of(WholeLab.sample()));
        lab.awaitReady(namespace);

        assertThat(lab.machines(namespace).stream()
                        .map(machine -> Fields.string(machine, "spec", "providerID"))
                        .map(id -> String.valueOf(id).replaceFirst(":.*", ""))
                        .sorted())
                .containsExactly("labcloud", "labcloud", "metal3", "metal3", "metal3");
        try (KubernetesClient cluster = lab.workload(namespace, "multinode")) {
            assertThat(cluster.nodes().list().getItems())
                    .extracting(node -> node.getSpec().getProviderID())
                    .filteredOn(id -> id.startsWith("labcloud:///lab-northa/i-"))
                    .hasSize(2);
        }
    }

    private static List<String> taints(Node node) {
        return node.getSpec().getTaints().stream().map(taint -> taint.getKey()).toList();
    }
}
