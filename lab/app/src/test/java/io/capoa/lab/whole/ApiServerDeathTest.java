package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The management cluster's control plane is killed during an installation. */
@Tag("full")
@Tag("whole")
@Disturbing
class ApiServerDeathTest {

    private static final Map<String, List<String>> ONE_FOR_EACH_MACHINE = Map.of(
            "cluster.x-k8s.io/v1beta2", List.of("Machine"),
            "infrastructure.cluster.x-k8s.io/v1beta2", List.of("Metal3Machine"),
            "bootstrap.cluster.x-k8s.io/v1beta1", List.of("OpenshiftAssistedConfig"),
            "agent-install.openshift.io/v1beta1", List.of("InfraEnv", "Agent"));

    @Test
    void anApiServerKilledAtEveryStep_costsNoMachine_andTheClusterBecomesReady(WholeLab lab) {
        String namespace = lab.namespace(4);
        lab.apply(namespace, WholeLab::withoutWorkers);
        Map<BooleanSupplier, Tool> steps = new LinkedHashMap<>();
        steps.put(() -> !lab.machines(namespace).isEmpty(), Tool.KUBE_APISERVER);
        steps.put(() -> install(lab, namespace) != null, Tool.ETCD);
        steps.put(
                () -> Fields.string(install(lab, namespace), "spec", "clusterMetadata", "clusterID") != null,
                Tool.KUBE_APISERVER);
        steps.forEach((step, part) -> {
            await().atMost(WholeLab.SOON).ignoreExceptions().until(step::getAsBoolean);
            lab.kill(part);
        });
        lab.kill(Tool.KUBE_CONTROLLER_MANAGER);
        lab.awaitReady(namespace);

        Map<String, Integer> counts = new TreeMap<>();
        ONE_FOR_EACH_MACHINE.forEach((version, kinds) -> kinds.forEach(kind -> counts.put(
                kind,
                lab.admin()
                        .genericKubernetesResources(version, kind)
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .size())));
        assertThat(counts)
                .allSatisfy((kind, count) -> assertThat(count).as(kind).isEqualTo(3));
        lab.startProviders();
        assertThat(lab.providerPids()).hasSize(2);
    }

    private static AgentClusterInstall install(WholeLab lab, String namespace) {
        return lab.admin()
                .resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .withName("multinode")
                .get();
    }
}
