package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A tenant fills the caches of managers that run with their own JVM options and limits. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class CacheFloodTest {

    private static final String NAMESPACE = "cache-flood";
    private static final String SCOPE = "--namespace=" + NAMESPACE;
    private static final int OBJECTS = 90;
    private static final String MEBIBYTE = Base64.getEncoder().encodeToString(new byte[750_000]);

    /** Sixteen commands of 60 KiB. */
    private static final String COMMANDS = Collections.nCopies(16, "\"" + "x".repeat(60 << 10) + "\"").stream()
            .collect(Collectors.joining(",", "[", "]"));

    @TempDir
    private Path folder;

    @Test
    void secretsAndConfigsOfAMebibyte_leaveTheManagersRunning_andSmallOnesServed(TestCluster cluster) throws Exception {
        KubernetesClient admin = cluster.admin();
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        try (var bootstrap = ShippedManager.bootstrap(cluster, folder, SCOPE).ready();
                var controlPlane =
                        ShippedManager.controlPlane(cluster, folder, SCOPE).ready()) {

            for (int n = 0; n < OBJECTS; n++) {
                secret(admin, "c" + n + "-kubeconfig", Map.of(Labels.CLUSTER_NAME, "c" + n), "value");
                secret(admin, "data-" + n, Map.of(Labels.CONFIG_NAME, "c" + n), "value");
                config(admin, "c" + n, "{preBootstrapCommands: " + COMMANDS + "}");
            }
            config(admin, "small", "{}");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(conditions(admin, "small"))
                            .anySatisfy(
                                    condition -> assertThat(condition.reason()).isEqualTo("WaitingForMachine")));
            // Each look reads 90 MB.
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(notHeld(admin)).isGreaterThan(OBJECTS / 2));
            for (ManagerChild manager : List.of(bootstrap.process(), controlPlane.process())) {
                assertThat(manager.isRunning()).isTrue();
                assertThat(manager.isReady()).isTrue();
                assertThat(manager.log()).doesNotContain("OutOfMemoryError", "Stopping after a failure");
            }
        } finally {
            release(admin);
        }
    }

    private static void secret(KubernetesClient admin, String name, Map<String, String> labels, String key) {
        var unused = admin.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .addToData(key, MEBIBYTE)
                        .build())
                .create();
    }

    private static void config(KubernetesClient admin, String name, String spec) {
        var unused = admin.resource(Serialization.unmarshal(
                        """
                        {"apiVersion": "bootstrap.cluster.x-k8s.io/v1beta1", "kind": "OpenshiftAssistedConfig",
                         "metadata": {"name": "%s", "namespace": "%s", "labels": {"%s": "c"}}, "spec": %s}
                        """.formatted(
                                        name,
                                        NAMESPACE,
                                        Labels.CLUSTER_NAME,
                                        spec.replace("preBootstrapCommands", "\"preBootstrapCommands\"")),
                        OpenshiftAssistedConfig.class))
                .create();
    }

    private static List<Condition> conditions(KubernetesClient admin, String name) {
        OpenshiftAssistedConfig config = admin.resources(OpenshiftAssistedConfig.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .require();
        return config.getStatus() == null || config.getStatus().conditions() == null
                ? List.of()
                : config.getStatus().conditions();
    }

    private static long notHeld(KubernetesClient admin) {
        return IntStream.range(0, OBJECTS)
                .filter(n -> conditions(admin, "c" + n).stream()
                        .anyMatch(condition -> condition.reason().equals("InvalidConfiguration")
                                && condition.message().contains("spec is not held in memory")))
                .count();
    }

    /** What the managers no longer release. */
    private static void release(KubernetesClient admin) {
        admin.resources(OpenshiftAssistedConfig.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems()
                .forEach(config -> {
                    var unused = admin.resource(config)
                            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
                });
        var unused = admin.namespaces().withName(NAMESPACE).delete();
    }
}
