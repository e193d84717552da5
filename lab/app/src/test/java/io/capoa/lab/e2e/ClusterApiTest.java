package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Labels;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.provider.Conflicts;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real Cluster API core, with its webhooks, and our providers. */
@Tag("e2e")
@OnRealLab
class ClusterApiTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String CORE = "cluster.x-k8s.io/v1beta2";

    @Test
    void theSample_becomesAvailable_itsMachinesAreNodes_andV1beta1IsServed(RealLab lab) throws InterruptedException {
        String namespace = lab.namespace(5);

        lab.applySample(namespace, UnaryOperator.identity());
        lab.awaitAvailable(namespace, "multinode", 5);

        assertThat(lab.machines(namespace)).allSatisfy(machine -> {
            assertThat(Fields.string(machine, "status", "nodeRef", "name")).isNotEmpty();
            assertThat(Fields.string(machine, "spec", "providerID")).startsWith("metal3://");
        });
        GenericKubernetesResource old = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta1", "Cluster")
                .inNamespace(namespace)
                .withName("multinode")
                .require();
        assertThat(old.<String>get("spec", "controlPlaneRef", "apiVersion"))
                .isEqualTo("controlplane.cluster.x-k8s.io/v1beta1");
        assertThat(AuditedWrites.atRest(lab, namespace)).isEmpty();
    }

    @Test
    void aWorker_isAddedAndRemoved(RealLab lab) {
        String namespace = lab.namespace(6);
        lab.applySample(namespace, UnaryOperator.identity());
        lab.awaitAvailable(namespace, "multinode", 5);
        Set<String> before = uids(lab.machines(namespace));

        scale(lab, namespace, 3);
        lab.awaitAvailable(namespace, "multinode", 6);
        assertThat(uids(lab.machines(namespace))).containsAll(before);

        scale(lab, namespace, 1);
        lab.awaitAvailable(namespace, "multinode", 4);
        assertThat(controlPlanes(lab, namespace)).hasSize(3);
        try (KubernetesClient workload = workload(lab, namespace)) {
            await().atMost(RealLab.SOON)
                    .untilAsserted(
                            () -> assertThat(workload.nodes().list().getItems()).hasSize(4));
        }
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    @Test
    void aDeletedControlPlaneMachine_isReplaced(RealLab lab) {
        String namespace = lab.namespace(4);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 0"));
        lab.awaitAvailable(namespace, "multinode", 3);
        Machine lost = controlPlanes(lab, namespace).getFirst();

        lab.admin().resource(lost).delete();

        lab.awaitUntil(
                namespace,
                "multinode",
                () -> assertThat(uids(controlPlanes(lab, namespace)))
                        .hasSize(3)
                        .doesNotContain(lost.getMetadata().getUid()));
        lab.awaitAvailable(namespace, "multinode", 3);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    @Test
    void aWorkerThatAMachineHealthCheckFindsUnhealthy_isReplaced(RealLab lab) {
        String namespace = lab.namespace(5);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 1"));
        lab.awaitAvailable(namespace, "multinode", 4);
        lab.apply(namespace, """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata:
              name: workers
            spec:
              clusterName: multinode
              selector:
                matchLabels:
                  cluster.x-k8s.io/deployment-name: multinode-worker
              checks:
                unhealthyNodeConditions:
                - type: Ready
                  status: Unknown
                  timeoutSeconds: 1
            """);
        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(Fields.integer(healthCheck(lab, namespace), "status", "currentHealthy"))
                        .isEqualTo(1));
        Machine worker = workers(lab, namespace).getFirst();

        try (KubernetesClient workload = workload(lab, namespace)) {
            workload.nodes()
                    .withName(Fields.string(worker, "status", "nodeRef", "name"))
                    .patch(MERGE, """
                        {"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown",
                         "message":"Kubelet stopped posting node status.",
                         "lastHeartbeatTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
                        """);
        }

        lab.awaitUntil(
                namespace,
                "multinode",
                () -> assertThat(uids(workers(lab, namespace)))
                        .hasSize(1)
                        .doesNotContain(worker.getMetadata().getUid()));
        lab.awaitAvailable(namespace, "multinode", 4);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    @Test
    void aDeletedCluster_leavesNothing_andItsHostsAreFree(RealLab lab) {
        String namespace = lab.namespace(4);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 1"));
        lab.awaitAvailable(namespace, "multinode", 4);

        lab.admin()
                .genericKubernetesResources(CORE, "Cluster")
                .inNamespace(namespace)
                .withName("multinode")
                .delete();

        await().atMost(RealLab.SOON).untilAsserted(() -> {
            assertThat(Leftovers.of(lab.admin(), namespace)).isEmpty();
            assertThat(lab.admin()
                            .genericKubernetesResources("metal3.io/v1alpha1", "BareMetalHost")
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .hasSize(4)
                    .allSatisfy(host -> assertThat(host.<String>get("status", "provisioning", "state"))
                            .isEqualTo("available"));
        });
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    private static void scale(RealLab lab, String namespace, int replicas) {
        var unused = lab.admin()
                .genericKubernetesResources(CORE, "MachineDeployment")
                .inNamespace(namespace)
                .withName("multinode-worker")
                .patch(MERGE, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    private static GenericKubernetesResource healthCheck(RealLab lab, String namespace) {
        return lab.admin()
                .genericKubernetesResources(CORE, "MachineHealthCheck")
                .inNamespace(namespace)
                .withName("workers")
                .require();
    }

    private static KubernetesClient workload(RealLab lab, String namespace) {
        String kubeconfig = lab.admin()
                .secrets()
                .inNamespace(namespace)
                .withName("multinode-kubeconfig")
                .require()
                .getData()
                .get("value");
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        new String(Base64.getDecoder().decode(kubeconfig), StandardCharsets.UTF_8)))
                .build();
    }

    private static List<Machine> controlPlanes(RealLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .filter(machine -> machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .toList();
    }

    private static List<Machine> workers(RealLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .filter(machine -> !machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .toList();
    }

    private static Set<String> uids(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getUid()).collect(Collectors.toSet());
    }
}
