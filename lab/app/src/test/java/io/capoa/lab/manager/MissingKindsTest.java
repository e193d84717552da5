package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.PreparedClusters;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A management cluster that lacks kinds: they are reported, nothing else is blocked, and no restart is needed. */
@Tag("full")
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.BOTH_PROVIDERS)
class MissingKindsTest {

    /** The API server takes up to a minute to remove a kind, and then retries. */
    private static final String NAMESPACE = "missing-kinds";

    private static final String INFRA_ENVS = "infraenvs.agent-install.openshift.io";
    private static final String CLUSTERS = "clusters.cluster.x-k8s.io";

    /** Kinds of assisted-service and Hive, with the expected product name. */
    private static final Map<String, String> LATE = new LinkedHashMap<>(Map.of(
            INFRA_ENVS,
            "kind InfraEnv (agent-install.openshift.io/v1beta1) is not installed: install assisted-service",
            "agents.agent-install.openshift.io",
            "kind Agent (",
            "agentclusterinstalls.extensions.hive.openshift.io",
            "kind AgentClusterInstall (extensions.hive.openshift.io/v1beta1) is not installed: install"
                    + " assisted-service",
            "clusterdeployments.hive.openshift.io",
            "kind ClusterDeployment (hive.openshift.io/v1) is not installed: install Hive",
            "clusterimagesets.hive.openshift.io",
            "kind ClusterImageSet ("));

    private final LocalCluster cluster = PreparedClusters.start();

    private final KubernetesClient admin = cluster.admin();

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    void prepare() {
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        admin.load(Stream.of("""
                        apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                        kind: OpenshiftAssistedConfig
                        metadata: {name: waiting, namespace: missing-kinds}
                        ---
                        apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                        kind: OpenshiftAssistedControlPlane
                        metadata: {name: waiting, namespace: missing-kinds}
                        spec:
                          distributionVersion: 4.20.3
                          machineTemplate:
                            spec:
                              infrastructureRef:
                                apiGroup: infrastructure.cluster.x-k8s.io
                                kind: Metal3MachineTemplate
                                name: t
                        """)
                        .map(text -> new java.io.ByteArrayInputStream(
                                text.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                        .findFirst()
                        .orElseThrow())
                .serverSideApply();
    }

    @AfterEach
    void installAll() {
        ManagementCluster.on(cluster).usedKinds().prepare();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private ManagerChild bootstrap() throws Exception {
        return ManagerChild.startProvider(
                BootstrapProvider.class,
                folder,
                cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER),
                "--webhook-port=0");
    }

    private ManagerChild controlPlane() throws Exception {
        return ManagerChild.startProvider(
                ControlPlaneProvider.class,
                folder,
                cluster.kubeconfigOf(KnownUsers.CONTROL_PLANE_PROVIDER),
                "--webhook-port=0");
    }

    private CustomResourceDefinition remove(String name) {
        var definition = admin.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .require();
        new CustomResourceDefinitions(admin).remove(List.of(name));
        return definition;
    }

    private void install(CustomResourceDefinition definition) {
        var unused = admin.resource(new CustomResourceDefinitionBuilder()
                        .withNewMetadata()
                        .withName(definition.getMetadata().getName())
                        .withLabels(definition.getMetadata().getLabels())
                        .endMetadata()
                        .withSpec(definition.getSpec())
                        .build())
                .create();
    }

    private static void awaitWaiting(ManagerChild manager, String sentence) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(manager.probe("/readyz").body()).contains("waiting: " + sentence));
    }

    private static void awaitNotWaiting(ManagerChild manager, String sentence) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(manager.probe("/readyz").body()).doesNotContain(sentence));
    }

    private static void awaitAllIsThere(ManagerChild... managers) {
        for (var manager : managers) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(manager.probe("/readyz").body()).isEqualTo("ok\n"));
        }
    }

    private Condition ofControlPlane(String type) {
        var status = admin.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(NAMESPACE)
                .withName("waiting")
                .require()
                .getStatus();
        return condition(status == null ? null : status.conditions(), type);
    }

    private Condition ofConfig(String type) {
        var status = admin.resources(OpenshiftAssistedConfig.class)
                .inNamespace(NAMESPACE)
                .withName("waiting")
                .require()
                .getStatus();
        return condition(status == null ? null : status.conditions(), type);
    }

    /** Throws an assertion error while it is missing, for use with Awaitility. */
    private static Condition condition(@Nullable List<Condition> conditions, String type) {
        return Objects.requireNonNullElse(conditions, List.<Condition>of()).stream()
                .filter(c -> c.type().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no condition " + type));
    }

    @Test
    void kindsThatComeLate_areNamed_andUsedWithoutARestart() throws Exception {
        var removed = LATE.keySet().stream().map(this::remove).toList();
        try (var bootstrap = bootstrap();
                var controlPlane = controlPlane()) {
            await().atMost(PATIENCE).until(() -> bootstrap.isReady() && controlPlane.isReady());

            assertThat(bootstrap.probe("/healthz").status()).isEqualTo(200);
            LATE.forEach((crd, sentence) -> {
                boolean ofAb = !crd.startsWith("clusterimagesets");
                boolean ofAcp = !crd.endsWith("agent-install.openshift.io");
                assertThat(bootstrap.probe("/readyz").body().contains("waiting: " + sentence))
                        .isEqualTo(ofAb);
                assertThat(controlPlane.probe("/readyz").body().contains("waiting: " + sentence))
                        .isEqualTo(ofAcp);
            });
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(ofControlPlane(ControlPlaneConditions.READY).reason())
                        .isEqualTo(ControlPlaneConditions.KIND_NOT_INSTALLED);
                assertThat(ofControlPlane(ControlPlaneConditions.READY).message())
                        .contains("kind AgentClusterInstall (extensions.hive.openshift.io/v1beta1) is not installed");
                assertThat(ofConfig(ConfigConditions.INFRA_ENV_READY).message()).contains("is not installed: install");
            });

            for (var definition : removed) {
                var sentence =
                        Objects.requireNonNull(LATE.get(definition.getMetadata().getName()));
                install(definition);
                awaitNotWaiting(bootstrap, sentence);
                awaitNotWaiting(controlPlane, sentence);
            }
            awaitAllIsThere(bootstrap, controlPlane);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(ofControlPlane(ControlPlaneConditions.READY).reason())
                        .isEqualTo(ControlPlaneConditions.WAITING_FOR_CLUSTER);
                assertThat(ofConfig(ConfigConditions.INFRA_ENV_READY).message()).doesNotContain("is not installed");
            });
            // Transitions of conditions are logged with the same sentence.
            assertThat(
                            occurrences(
                                    bootstrap.log(),
                                    "\"message\":\"Waiting: kind InfraEnv (agent-install.openshift.io/v1beta1) is not installed"))
                    .isEqualTo(1);
            assertThat(occurrences(
                            controlPlane.log(),
                            "\"message\":\"Waiting: kind ClusterDeployment (hive.openshift.io/v1) is not installed"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aKindThatIsTakenAway_isWaitedForAgain() throws Exception {
        try (var bootstrap = bootstrap()) {
            awaitAllIsThere(bootstrap);

            var removed = remove(INFRA_ENVS);
            awaitWaiting(bootstrap, "kind InfraEnv (agent-install.openshift.io/v1beta1) is not installed");
            assertThat(bootstrap.isReady()).isTrue();

            install(removed);
            awaitAllIsThere(bootstrap);
            await().atMost(PATIENCE)
                    .until(() -> bootstrap.log().contains("Kind InfraEnv is installed and watched now"));
        }
    }

    @Test
    void anOlderClusterApi_isNamedWithTheVersionThatIsNeeded() throws Exception {
        var current = remove(CLUSTERS);
        install(new CustomResourceDefinitionBuilder(current)
                .editSpec()
                .withVersions(new CustomResourceDefinitionVersionBuilder(
                                current.getSpec().getVersions().getFirst())
                        .withName("v1beta1")
                        .withServed(true)
                        .withStorage(true)
                        .build())
                .endSpec()
                .build());
        try (var controlPlane = controlPlane()) {
            await().atMost(PATIENCE).until(controlPlane::isReady);

            awaitWaiting(
                    controlPlane,
                    "kind Cluster is not served as cluster.x-k8s.io/v1beta2, only as v1beta1: upgrade to Cluster API"
                            + " v1.11 or later");

            var unused = remove(CLUSTERS);
            install(current);
            awaitAllIsThere(controlPlane);
        }
    }

    private static long occurrences(String text, String part) {
        return text.lines().filter(line -> line.contains(part)).count();
    }
}
