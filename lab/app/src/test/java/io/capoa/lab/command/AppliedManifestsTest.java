package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Applying manifests while a webhook or the API server is unavailable. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class AppliedManifestsTest {

    @TempDir
    private Path folder;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();

    private AppliedManifests configMap(String key) throws IOException {
        Path file = Files.writeString(folder.resolve("file.yaml"), """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: applied
            data:
              %s: value
            """.formatted(key));
        return new AppliedManifests(List.of(file), OptionalInt.empty());
    }

    private KubernetesClient counting(TestCluster cluster) {
        return new KubernetesClientBuilder()
                .withConfig(cluster.admin().getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("requests", new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        requests.incrementAndGet();
                    }
                }))
                .build();
    }

    /** A webhook for ConfigMaps of one namespace, at an address where nothing listens. */
    private static ValidatingWebhookConfiguration absentWebhook(String namespace) {
        return new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .addNewWebhook()
                .withName("absent.lab.example")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("None")
                .withFailurePolicy("Fail")
                .withNewNamespaceSelector()
                .addToMatchLabels("kubernetes.io/metadata.name", namespace)
                .endNamespaceSelector()
                .withNewClientConfig()
                .withUrl("https://127.0.0.1:1/absent")
                .endClientConfig()
                .addNewRule()
                .withApiGroups("")
                .withApiVersions("v1")
                .withResources("configmaps")
                .withOperations("CREATE", "UPDATE")
                .endRule()
                .endWebhook()
                .build();
    }

    @Test
    void whileAWebhookIsUnavailable_applyWaits_reportsIt_andContinues(TestCluster cluster) throws Exception {
        String namespace = "webhook-away";
        Retry retry = new Retry(Duration.ofSeconds(60), said::add);
        AppliedManifests manifests = configMap("key");
        manifests.makeNamespace(cluster.admin(), retry, namespace);
        var webhook = cluster.admin().resource(absentWebhook(namespace)).create();
        try (KubernetesClient client = counting(cluster)) {
            awaitCalled(cluster, namespace);
            var applying = CompletableFuture.runAsync(() -> manifests.apply(client, retry, namespace));
            await().atMost(Duration.ofSeconds(20)).until(() -> !said.isEmpty());
            int more = requests.get() + 3;
            await().atMost(Duration.ofSeconds(20)).until(() -> requests.get() >= more);
            assertThat(applying).isNotDone();

            cluster.admin().resource(webhook).delete();

            applying.get(30, TimeUnit.SECONDS);
            assertThat(said)
                    .singleElement()
                    .asString()
                    .startsWith("Waiting up to 60 s to apply ConfigMap applied: ")
                    .contains("absent.lab.example", "connection refused");
        } finally {
            cluster.admin().resource(webhook).delete();
        }
    }

    @Test
    void aWebhookThatStaysUnavailable_endsTheApplyWithItsName(TestCluster cluster) throws Exception {
        String namespace = "webhook-gone";
        Retry retry = new Retry(Duration.ofSeconds(1), said::add);
        AppliedManifests manifests = configMap("key");
        manifests.makeNamespace(cluster.admin(), retry, namespace);
        var webhook = cluster.admin().resource(absentWebhook(namespace)).create();
        try {
            awaitCalled(cluster, namespace);

            assertThatExceptionOfType(ClusterException.class)
                    .isThrownBy(() -> manifests.apply(cluster.admin(), retry, namespace))
                    .withMessageContaining("ConfigMap applied")
                    .withMessageContaining("absent.lab.example");
        } finally {
            cluster.admin().resource(webhook).delete();
        }
    }

    /** The API server uses new webhooks with a short delay. */
    private static void awaitCalled(TestCluster cluster, String namespace) {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            try {
                cluster.admin()
                        .configMaps()
                        .inNamespace(namespace)
                        .resource(new io.fabric8.kubernetes.api.model.ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("probe")
                                .endMetadata()
                                .build())
                        .serverSideApply();
                return false;
            } catch (KubernetesClientException e) {
                return true;
            }
        });
    }

    @Test
    void whatIsRefused_isNotTriedAgain(TestCluster cluster) throws Exception {
        Retry retry = new Retry(Duration.ofSeconds(60), said::add);

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> configMap("no key!").apply(cluster.admin(), retry, "default"))
                .withMessageContaining("The API server refuses ConfigMap applied of " + folder.resolve("file.yaml"));
        assertThat(said).isEmpty();
    }

    @Test
    void whatMayPass_isTriedAgain_andNothingElse() {
        assertThat(Retry.isPassing(new KubernetesClientException("no answer", new ConnectException("refused"))))
                .isTrue();
        assertThat(Retry.isPassing(new KubernetesClientException("unreadable", new IllegalArgumentException("no"))))
                .isFalse();
        assertThat(Retry.isPassing(failure(500, "failed calling webhook \"x\": no endpoints available")))
                .isTrue();
        assertThat(Retry.isPassing(failure(503, "apiserver not ready"))).isTrue();
        assertThat(Retry.isPassing(failure(429, "storage is (re)initializing"))).isTrue();
        assertThat(Retry.isPassing(failure(500, "conversion failed"))).isFalse();
        assertThat(Retry.isPassing(failure(400, "admission webhook \"x\" denied the request")))
                .isFalse();
        assertThat(Retry.isPassing(failure(403, "forbidden"))).isFalse();
        assertThat(Retry.isPassing(failure(422, "invalid"))).isFalse();
    }

    private static KubernetesClientException failure(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }
}
