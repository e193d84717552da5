package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster that core's topology controller creates from the release's ClusterClass. */
@Tag("e2e")
@OnRealLab
class TopologyTest {

    private static final PatchContext JSON_PATCH = PatchContext.of(PatchType.JSON);

    @Test
    void aTopology_isCreatedScaledAndChanged_andThenNothingIsWritten(RealLab lab) throws Exception {
        String namespace = lab.namespace(6);
        lab.applySample(namespace, ClusterctlTest::secretAlone);
        lab.apply(namespace, clusterClass(lab));
        await().atMost(RealLab.SOON)
                .until(() -> lab.admin()
                                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "ClusterClass")
                                .inNamespace(namespace)
                                .withName("openshift-baremetal")
                                .require()
                                .get("status", "observedGeneration")
                        != null);
        lab.apply(namespace, Generated.cluster(lab, "cluster-template-topology.yaml", "topo", namespace));
        lab.awaitAvailable(namespace, "topo", 5);
        assertThat(AuditedWrites.atRest(lab, namespace)).isEmpty();

        patch(lab, namespace, "replace", "/spec/topology/workers/machineDeployments/0/replicas", "3");
        lab.awaitAvailable(namespace, "topo", 6);
        Set<String> machines = uids(lab.machines(namespace));

        patch(
                lab,
                namespace,
                "replace",
                "/spec/topology/controlPlane",
                "{\"replicas\":3,\"metadata\":{\"labels\":{\"tier\":\"gold\"}}}");
        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(lab.machines(namespace))
                        .filteredOn(machine ->
                                "gold".equals(machine.getMetadata().getLabels().get("tier")))
                        .hasSize(3));
        changeVariable(lab, namespace);
        await().atMost(RealLab.SOON).until(() -> ConditionView.isTrue(cluster(lab, namespace), "TopologyReconciled"));

        assertThat(AuditedWrites.atRest(lab, namespace)).isEmpty();
        assertThat(uids(lab.machines(namespace))).isEqualTo(machines);
        assertThat(lab.admin()
                        .resources(OpenshiftAssistedConfig.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(6);
    }

    private static String clusterClass(RealLab lab) throws IOException {
        return Files.readString(Generated.file(lab, "clusterclass-openshift-baremetal.yaml"));
    }

    /** Capabilities of the installed cluster do not affect Machines. */
    private static void changeVariable(RealLab lab, String namespace) {
        List<?> variables = cluster(lab, namespace).get("spec", "topology", "variables");
        int index = java.util.stream.IntStream.range(0, variables.size())
                .filter(i -> String.valueOf(variables.get(i)).contains("name=ingressVIPs"))
                .findFirst()
                .orElseThrow();
        patch(lab, namespace, "replace", "/spec/topology/variables/" + index + "/value", "[\"192.0.2.12\"]");
    }

    private static Cluster cluster(RealLab lab, String namespace) {
        return lab.admin()
                .resources(Cluster.class)
                .inNamespace(namespace)
                .withName("topo")
                .require();
    }

    private static void patch(RealLab lab, String namespace, String operation, String path, String value) {
        var unused = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                .inNamespace(namespace)
                .withName("topo")
                .patch(JSON_PATCH, "[{\"op\":\"%s\",\"path\":\"%s\",\"value\":%s}]".formatted(operation, path, value));
    }

    private static Set<String> uids(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getUid()).collect(Collectors.toSet());
    }
}
