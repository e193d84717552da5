package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster that was upgraded to another minor release since its installation gets further hosts. */
@Tag("full")
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class UpgradedClusterTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NAME = "live-iso";

    @Test
    void hostsThatJoinLater_bootALiveIsoOfTheReleaseThatTheClusterRuns(WholeLab lab) {
        String namespace = lab.namespace(8);
        lab.apply(namespace, WholeLab.sample(NAME));
        lab.awaitReady(namespace);
        Set<String> first = names(lab, namespace);
        patchControlPlane(
                lab,
                namespace,
                "{\"spec\":{\"distributionVersion\":\"4.21.1\",\"upgrade\":{\"channel\":\"stable-4.21\"}}}");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                controlPlane(lab, namespace).getStatus().distributionVersion())
                        .isEqualTo("4.21.1"));

        var unused = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "MachineDeployment")
                .inNamespace(namespace)
                .withName(NAME + "-worker")
                .patch(MERGE, "{\"spec\":{\"replicas\":3}}");
        patchControlPlane(lab, namespace, "{\"spec\":{\"replicas\":5}}");

        try (KubernetesClient workload = lab.workload(namespace, NAME)) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                List<Node> nodes = workload.nodes().list().getItems();
                assertThat(nodes).as(() -> refusals(lab, namespace)).hasSize(8);
                assertThat(nodes)
                        .allSatisfy(node -> assertThat(
                                        node.getStatus().getNodeInfo().getKubeletVersion())
                                .isEqualTo("v1.34.5"));
            });
        }
        lab.awaitReady(namespace);
        assertThat(refusals(lab, namespace)).isEmpty();
        assertThat(lab.admin()
                        .resources(InfraEnv.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .allSatisfy(infraEnv -> assertThat(Fields.string(infraEnv, "spec", "osImageVersion"))
                        .as(infraEnv.getMetadata().getName())
                        .isEqualTo(first.contains(infraEnv.getMetadata().getName()) ? null : "4.21"));
    }

    private static String refusals(WholeLab lab, String namespace) {
        return lab.admin().resources(BareMetalHost.class).inNamespace(namespace).list().getItems().stream()
                .flatMap(host -> lab
                        .peers()
                        .hosts()
                        .lastRefusal(namespace, host.getMetadata().getName())
                        .stream())
                .collect(Collectors.joining("; "));
    }

    private static Set<String> names(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .map((Machine machine) -> machine.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static OpenshiftAssistedControlPlane controlPlane(WholeLab lab, String namespace) {
        return lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName(NAME)
                .require();
    }

    private static void patchControlPlane(WholeLab lab, String namespace, String body) {
        lab.admin().resource(controlPlane(lab, namespace)).patch(MERGE, body);
    }
}
