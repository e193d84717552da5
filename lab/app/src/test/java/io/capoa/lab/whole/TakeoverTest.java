package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Our providers take over a management cluster of the Go provider, with clusters that are installed, waiting, installing,
 * failed, growing and being deleted.
 */
@Tag("full")
@Tag("whole")
@Disturbing
class TakeoverTest {

    private static final String HOLD = "lab.capoa.io/hold";
    private static final String FAIL = "lab.capoa.io/fail";
    private static final String STAGE = "Writing image to disk";

    /** What must stay. */
    private record Kept(
            Map<String, String> machines, Map<String, Map<String, String>> secrets, Map<String, String> media) {

        static Kept of(WholeLab lab, String namespace) {
            return new Kept(
                    Takeover.machines(lab, namespace),
                    Takeover.secrets(lab, namespace),
                    Takeover.infraEnvs(lab, namespace));
        }
    }

    /** Namespaces of the clusters, prepared side by side. */
    private record Clusters(
            String installed, String waiting, String deleted, String growing, String installing, String failed) {

        static Clusters of(WholeLab lab) throws Exception {
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<String> installed = executor.submit(() -> TakeoverTest.installed(lab));
                Future<String> waiting = executor.submit(() -> TakeoverTest.waiting(lab));
                Future<String> deleted = executor.submit(() -> TakeoverTest.waiting(lab));
                Future<String> growing = executor.submit(() -> TakeoverTest.growing(lab));
                Future<String> installing = executor.submit(() -> TakeoverTest.installing(lab));
                Future<String> failed = executor.submit(() -> TakeoverTest.failed(lab));
                return new Clusters(
                        installed.get(), waiting.get(), deleted.get(), growing.get(), installing.get(), failed.get());
            }
        }
    }

    @Test
    void noMachineSecretOrInfraEnvIsNew_andEachClusterGoesOn(WholeLab lab) throws Exception {
        Clusters clusters = Clusters.of(lab);
        String installed = clusters.installed();
        String waiting = clusters.waiting();
        String deleted = clusters.deleted();
        String growing = clusters.growing();
        String installing = clusters.installing();
        String failed = clusters.failed();
        List<String> all = List.of(installed, waiting, deleted, growing, installing, failed);
        Map<String, Kept> before = new HashMap<>();
        Takeover.run(lab, () -> {
            all.forEach(namespace -> GoShape.give(lab.admin(), namespace));
            all.forEach(namespace -> before.put(namespace, Kept.of(lab, namespace)));
            delete(lab, deleted);
        });

        awaitReason(lab, failed, "InstallFailed");
        awaitReason(lab, waiting, "HostsNotReady");
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(List.of("MachinesReady", "Available"))
                        .allSatisfy(type -> assertThat(lab.condition(installed, type))
                                .as(() -> type + " of "
                                        + lab.controlPlane(installed).getStatus())
                                .map(Condition::status)
                                .contains(Condition.TRUE)));
        List<String> kept = List.of(installed, waiting, growing, installing, failed);
        await().during(Duration.ofSeconds(3))
                .atMost(WholeLab.SOON)
                .untilAsserted(() -> kept.forEach(namespace ->
                        assertThat(Kept.of(lab, namespace)).as(namespace).isEqualTo(before.get(namespace))));

        lab.peers().rack(waiting, 3);
        lab.peers().rack(growing, 4);
        lab.annotateHost(installing, "host-0", HOLD, null);
        lab.annotateHost(failed, "host-0", FAIL, null);
        retry(lab, failed);
        kept.forEach(lab::awaitReady);
        assertThat(Kept.of(lab, installed)).isEqualTo(before.get(installed));
        assertThat(lab.controlPlane(installed).getStatus().replicas()).isEqualTo(3);
        for (String namespace : List.of(waiting, growing, installing)) {
            assertThat(Takeover.machines(lab, namespace))
                    .isEqualTo(before.get(namespace).machines());
        }
        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(lab.admin()
                            .resources(Cluster.class)
                            .inNamespace(deleted)
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(lab.machines(deleted)).isEmpty();
        });
    }

    /** With two spare hosts. */
    private static String installed(WholeLab lab) {
        String namespace = lab.namespace(7);
        lab.apply(namespace, WholeLab.sample());
        lab.awaitReady(namespace);
        return namespace;
    }

    /** Two of three hosts are discovered. */
    private static String waiting(WholeLab lab) {
        String namespace = lab.namespace(2);
        lab.apply(namespace, WholeLab::withoutWorkers);
        await().atMost(WholeLab.SOON)
                .until(() -> lab.admin()
                                .genericKubernetesResources("agent-install.openshift.io/v1beta1", "Agent")
                                .inNamespace(namespace)
                                .list()
                                .getItems()
                                .size()
                        == 2);
        awaitConfigs(lab, namespace, 3);
        return namespace;
    }

    /** Installed, with a worker that waits for a host. */
    private static String growing(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        lab.apply(namespace, sample -> sample.replace("replicas: 2", "replicas: 1"));
        awaitConfigs(lab, namespace, 4);
        return namespace;
    }

    private static String installing(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.annotateHost(namespace, "host-0", HOLD, STAGE);
        lab.apply(namespace, WholeLab::withoutWorkers);
        // The control-plane provider has yet to create it.
        await().atMost(WholeLab.SOON)
                .ignoreExceptionsInstanceOf(ResourceNotFoundException.class)
                .until(() ->
                        "installing".equals(Fields.string(install(lab, namespace), "status", "debugInfo", "state")));
        return namespace;
    }

    private static String failed(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.annotateHost(namespace, "host-0", FAIL, STAGE);
        lab.apply(namespace, WholeLab::withoutWorkers);
        awaitReason(lab, namespace, "InstallFailed");
        return namespace;
    }

    private static void awaitReason(WholeLab lab, String namespace, String reason) {
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, "InstallSucceeding"))
                        .get()
                        .hasFieldOrPropertyWithValue("reason", reason));
    }

    /** Until each config has boot media and bootstrap data. */
    private static void awaitConfigs(WholeLab lab, String namespace, int count) {
        await().atMost(WholeLab.SOON)
                .until(() -> lab
                                .admin()
                                .genericKubernetesResources(
                                        "bootstrap.cluster.x-k8s.io/v1beta1", "OpenshiftAssistedConfig")
                                .inNamespace(namespace)
                                .list()
                                .getItems()
                                .stream()
                                .filter(config -> Fields.string(config, "status", "dataSecretName") != null)
                                .count()
                        == count);
    }

    private static GenericKubernetesResource install(WholeLab lab, String namespace) {
        return lab.admin()
                .genericKubernetesResources("extensions.hive.openshift.io/v1beta1", "AgentClusterInstall")
                .inNamespace(namespace)
                .withName("multinode")
                .require();
    }

    private static void retry(WholeLab lab, String namespace) {
        var unused = lab.admin()
                .resource(lab.controlPlane(namespace))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"\"}}}".formatted(Annotations.RETRY_INSTALL));
    }

    private static void delete(WholeLab lab, String namespace) {
        var unused = lab.admin()
                .resources(Cluster.class)
                .inNamespace(namespace)
                .withName("multinode")
                .delete();
    }
}
