package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Upgrades of the sample's cluster, and what must stay over them. */
final class Upgrades {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private Upgrades() {}

    static void upgrade(WholeLab lab, String namespace, String version, String more) {
        var unused = lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .patch(MERGE, "{\"spec\":{\"distributionVersion\":\"%s\"%s}}".formatted(version, more));
    }

    static void awaitRunning(WholeLab lab, String namespace, String version) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(lab.controlPlane(namespace).getStatus().distributionVersion())
                    .as(() ->
                            lab.controlPlane(namespace).getStatus().conditions().toString())
                    .isEqualTo(version);
            assertThat(lab.condition(namespace, "UpgradeCompleted"))
                    .hasValueSatisfying(condition ->
                            assertThat(condition.status() + condition.message()).isEqualTo(Condition.TRUE));
        });
    }

    static Resource<GenericKubernetesResource> version(KubernetesClient workload) {
        return workload.genericKubernetesResources("config.openshift.io/v1", "ClusterVersion")
                .withName("version");
    }

    static Long generation(KubernetesClient workload) {
        return version(workload).require().getMetadata().getGeneration();
    }

    static List<String> versions(KubernetesClient workload) {
        return Fields.list(version(workload).require(), "status", "history").stream()
                .map(entry -> Fields.text(entry, "state") + " " + Fields.text(entry, "version"))
                .toList();
    }

    static Map<String, String> uids(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .collect(Collectors.toMap(
                        (Machine machine) -> machine.getMetadata().getName(),
                        machine -> machine.getMetadata().getUid()));
    }

    static Map<String, Long> hostGenerations(WholeLab lab, String namespace) {
        return hosts(lab, namespace)
                .collect(Collectors.toMap(
                        host -> host.getMetadata().getName(),
                        host -> host.getMetadata().getGeneration()));
    }

    private static Stream<BareMetalHost> hosts(WholeLab lab, String namespace) {
        return lab.admin().resources(BareMetalHost.class).inNamespace(namespace).list().getItems().stream();
    }
}
