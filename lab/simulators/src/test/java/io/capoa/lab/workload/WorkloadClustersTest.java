package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class WorkloadClustersTest {

    private WorkloadClusters clusters;
    private Workload cluster;

    @BeforeEach
    void start() throws IOException {
        clusters = new WorkloadClusters(0).start();
        cluster = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void whileNoControlPlaneRuns_theApiDoesNotAnswer() throws Exception {
        assertThat(cluster.api().send("GET", "/readyz", Map.of("ask", "again")).code())
                .isEqualTo(503);
    }

    @Test
    void nodesAreListedWatchedPatchedAndDeleted() throws Exception {
        WorkloadApi.of(cluster.kubeletKubeconfig()).send("PUT", "/machines/n-0?role=master", Map.of());
        List<String> events = new CopyOnWriteArrayList<>();
        try (KubernetesClient client = client(cluster.kubeconfig());
                var watch = client.nodes().watch(watcher(events))) {
            assertThat(watch).isNotNull();
            client.resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName("n-0")
                            .endMetadata()
                            .build())
                    .create();
            // The client's watch starts asynchronously; after its first event it misses nothing.
            await().untilAsserted(() -> assertThat(events).containsExactly("ADDED n-0"));
            client.resource(client.nodes().withName("n-0").get())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"providerID\":\"metal3://a/b/c\"}}");

            assertThat(client.nodes().list().getItems())
                    .singleElement()
                    .satisfies(n -> assertThat(n.getSpec().getProviderID()).isEqualTo("metal3://a/b/c"));
            assertThat(client.nodes().withLabel("absent").list().getItems()).isEmpty();
            assertThat(client.pods().inAnyNamespace().list().getItems()).isEmpty();
            assertThat(client.getKubernetesVersion().getGitVersion()).isEqualTo("v1.33.5");
            client.nodes().withName("n-0").delete();
            await().untilAsserted(() -> assertThat(events).containsExactly("ADDED n-0", "MODIFIED n-0", "DELETED n-0"));
        }
    }

    @Test
    void theClusterVersionIsCompleted_onlyOnceTheClusterIs() throws Exception {
        WorkloadApi.of(cluster.kubeletKubeconfig()).send("PUT", "/machines/n-0?role=master", Map.of());
        try (KubernetesClient client = client(cluster.kubeconfigWithIngress())) {
            var versions = client.genericKubernetesResources("config.openshift.io/v1", "ClusterVersion");

            assertThat(versions.withName("version").get().<String>get("status", "history", 0, "state"))
                    .isEqualTo("Partial");
            cluster.complete();
            assertThat(versions.withName("version").get().<String>get("status", "history", 0, "state"))
                    .isEqualTo("Completed");
            assertThat(versions.withName("version").get().<String>get("status", "desired", "version"))
                    .isEqualTo("4.20.3");
        }
    }

    @Test
    void withAnotherToken_nothingIsAnswered() throws Exception {
        WorkloadApi.of(cluster.kubeletKubeconfig()).send("PUT", "/machines/n-0?role=master", Map.of());
        Config config = new ConfigBuilder(Config.fromKubeconfig(cluster.kubeconfig()))
                .withClientCertData(null)
                .withClientKeyData(null)
                .withOauthToken("another")
                .withAutoOAuthToken("another")
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            assertThatThrownBy(() -> client.nodes().list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("Unauthorized");
        }
    }

    private static KubernetesClient client(String kubeconfig) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    private static Watcher<Node> watcher(List<String> events) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Node node) {
                events.add(action + " " + node.getMetadata().getName());
            }

            @Override
            public void onClose(WatcherException cause) {
                events.add("closed");
            }
        };
    }
}
