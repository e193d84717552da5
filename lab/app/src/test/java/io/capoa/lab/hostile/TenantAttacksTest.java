package io.capoa.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.manager.ManagerChild;
import io.capoa.lab.manager.ShippedManager;
import io.capoa.lab.registry.ReleaseRegistry;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Attacks of a tenant, and of clients of the webhook port, on managers as they are shipped. During each of them the changes
 * of another tenant are answered as without it: half of them within twice the time, all within five times, and what the API
 * server takes for the requests of an answer. Neither manager exceeds its memory limit or ends. Tagged as a suite of the
 * whole lab, which run in one JVM: beside those of another it would measure them, too.
 */
@Tag("full")
@Tag("whole")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("measures times")
@ExtendWith(LocalClusterOnly.class)
class TenantAttacksTest {

    private static final Duration CALM = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration BOMBING = Duration.ofSeconds(8);
    private static final int OBJECTS = 90;
    /** Of an answer: the change, its watch event, what the manager reads and writes, and the look that finds it. */
    private static final int REQUESTS = 6;

    private static final String MEBIBYTE = Base64.getEncoder().encodeToString(new byte[750_000]);
    /** A mebibyte with the managed fields; as long as labels may be, because their number costs the API server, too. */
    private static final Map<String, String> LABELS = IntStream.range(1_000, 3_000)
            .boxed()
            .collect(Collectors.toMap(
                    n -> ("a".repeat(60) + ".").repeat(4) + "tenant/" + "b".repeat(59) + n, n -> "c".repeat(63)));

    private static final String KEPT = "tenant.example/keep";

    private static final String REVIEW_BOMB = bomb("AdmissionReview", "admission.k8s.io/v1", "x");
    private static final String CONVERSION_BOMB = bomb("ConversionReview", "apiextensions.k8s.io/v1", "objects");

    private final LocalCluster cluster = PreparedClusters.start();
    private final KubernetesClient admin = cluster.admin();
    private final ReleaseRegistry registry = ReleaseRegistry.start(Delays.none());

    @TempDir
    private static Path folder;

    private String flag = "";
    private ShippedManager bootstrap;
    private ShippedManager controlPlane;
    private Bystander bystander;
    /** The longest answer without an attack: about a second on a quiet machine, more on a busy one. */
    private Duration calm;

    /** Five megabytes of empty objects. */
    private static String bomb(String kind, String version, String field) {
        return "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"request\":{\"uid\":\"u\",\"%s\":["
                        .formatted(kind, version, field)
                + String.join(",", Collections.nCopies(1_700_000, "{}")) + "]}}";
    }

    @BeforeAll
    void start() throws Exception {
        // Policies of an administrator that would keep the attacks from the managers.
        admin.admissionRegistration().v1().validatingAdmissionPolicyBindings().delete();
        Path conf = Files.writeString(folder.resolve("registries.conf"), registry.registriesConf());
        flag = "--registries-conf=" + conf;
        begin();
        bystander = Bystander.create(admin, "bystander");
        Bystander.Answers answers = bystander.during(() -> {
            Thread.sleep(CALM);
            return null;
        });
        System.out.printf("without an attack: %s%n", answers);
        calm = answers.longest();
    }

    private void begin() throws Exception {
        bootstrap = ShippedManager.bootstrap(cluster, folder);
        controlPlane = ShippedManager.controlPlane(cluster, folder, flag).ready();
        var unused = bootstrap.ready();
    }

    @AfterAll
    void stop() {
        bootstrap.close();
        controlPlane.close();
        registry.close();
        cluster.close();
    }

    @Test
    void aSharedImageSet_isNeitherChangedNorDeleted() throws Exception {
        ClusterImageSet shared = new ClusterImageSet();
        shared.setMetadata(new ObjectMetaBuilder().withName("shared-of-all").build());
        shared.setAdditionalProperty(
                "spec", Map.of("releaseImage", "quay.io/openshift-release-dev/ocp-release:4.19.1-x86_64"));
        String before = admin.resource(shared).create().getMetadata().getResourceVersion();
        Tenant tenant = Tenant.create(admin, "image-set");
        tenant.create("""
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata:
                  name: shared-of-all
                  labels: {cluster.x-k8s.io/cluster-name: shared-of-all, cluster.x-k8s.io/control-plane: '', cluster.x-k8s.io/control-plane-name: shared-of-all}
                spec:
                  imageSetRef: {name: shared-of-all}
                  clusterDeploymentRef: {name: shared-of-all}
                  networking: {}
                  provisionRequirements: {controlPlaneAgents: 1}
                """);

        unharmed("a shared ClusterImageSet", () -> {
            tenant.controlPlane("shared-of-all", "", "");
            await().atMost(PATIENCE)
                    .until(() -> messages(tenant, "shared-of-all").contains("ClusterImageSet shared-of-all"));
            var unused = tenant.resource(OpenshiftAssistedControlPlane.class, "shared-of-all")
                    .delete();
            await().atMost(PATIENCE)
                    .until(() -> tenant.resource(OpenshiftAssistedControlPlane.class, "shared-of-all")
                                    .get()
                            == null);
            return null;
        });

        assertThat(tenant.resource(AgentClusterInstall.class, "shared-of-all").get())
                .as("the provider took it for its own")
                .isNull();
        assertThat(version(admin.resources(ClusterImageSet.class)
                        .withName("shared-of-all")
                        .require()))
                .isEqualTo(before);
    }

    @Test
    void aHostOfAnotherNamespace_isNotPoweredOff() throws Exception {
        host(bystander.tenant(), "host-0", "bystander", "foreign");
        String before = version(
                bystander.tenant().resource(BareMetalHost.class, "host-0").require());
        Tenant tenant = Tenant.create(admin, "power-off");
        host(tenant, "host-1", "power-off", "own");

        unharmed("a forged Metal3Machine", () -> {
            chain(tenant, "foreign", "bystander/host-0");
            chain(tenant, "own", "power-off/host-1");
            await("the chain is one that powers off the tenant's own host")
                    .atMost(PATIENCE)
                    .until(() -> conditions(tenant, "own").contains(ConfigConditions.HOST_POWERED_OFF + "=True"));
            await().atMost(PATIENCE)
                    .until(() -> conditions(tenant, "foreign").contains(ConfigConditions.POWERING_OFF_HOST));
            return null;
        });

        assertThat(tenant.resource(BareMetalHost.class, "host-1")
                        .require()
                        .getMetadata()
                        .getAnnotations())
                .as("what keeps it off")
                .isNotEmpty();
        assertThat(version(bystander
                        .tenant()
                        .resource(BareMetalHost.class, "host-0")
                        .require()))
                .isEqualTo(before);
        for (String name : List.of("foreign", "own")) {
            tenant.merge(Machine.class, name, "{\"metadata\":{\"finalizers\":null}}");
        }
    }

    private static void host(Tenant tenant, String name, String namespace, String consumer) {
        tenant.create("""
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: %s}
                spec:
                  online: true
                  bootMACAddress: '52:54:00:00:00:01'
                  consumerRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: Metal3Machine, namespace: %s, name: %s}
                """.formatted(name, namespace, consumer));
    }

    /** A Machine that is being deleted and whose host has to be off, with its Metal3Machine and config. */
    private static void chain(Tenant tenant, String name, String host) {
        GenericKubernetesResource machine = tenant.create("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata:
                  name: %1$s
                  labels: {cluster.x-k8s.io/cluster-name: demo}
                  annotations: {%2$s: ''}
                  finalizers: [%3$s]
                spec:
                  clusterName: demo
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s}
                """.formatted(name, Annotations.POWER_OFF_HOST, KEPT));
        String owner =
                "ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: %s, uid: %s, controller: true}]"
                        .formatted(name, machine.getMetadata().getUid());
        tenant.create("""
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                kind: Metal3Machine
                metadata:
                  name: %s
                  annotations: {%s: %s}
                  %s
                spec: {image: {url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}}
                """.formatted(name, Annotations.BARE_METAL_HOST, host, owner));
        tenant.create("""
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata:
                  name: %s
                  labels: {cluster.x-k8s.io/cluster-name: demo}
                  %s
                spec: {}
                """.formatted(name, owner));
        var unused = tenant.resource(Machine.class, name).delete();
    }

    @Test
    void reviewsOfFiveMegabytes_areRefused() throws Exception {
        Set<Integer> statuses = ConcurrentHashMap.newKeySet();

        unharmed("reviews of 5 MB", () -> {
            long end = System.nanoTime() + BOMBING.toNanos();
            List<Callable<Integer>> bombs = List.of(
                    () -> bootstrap
                            .post(ShippedManager.CONFIG_REVIEWS, REVIEW_BOMB)
                            .statusCode(),
                    () -> bootstrap
                            .post(ShippedManager.CONVERSION, CONVERSION_BOMB)
                            .statusCode(),
                    () -> controlPlane
                            .post(ShippedManager.CONTROL_PLANE_REVIEWS, REVIEW_BOMB)
                            .statusCode(),
                    () -> controlPlane
                            .post(ShippedManager.CONVERSION, CONVERSION_BOMB)
                            .statusCode());
            try (var attackers = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> all = new ArrayList<>();
                for (Callable<Integer> bomb : bombs) {
                    all.add(attackers.submit(() -> {
                        while (System.nanoTime() < end) {
                            statuses.add(status(bomb));
                        }
                        return null;
                    }));
                }
                for (Future<?> one : all) {
                    Object unused = one.get();
                }
            }
            return null;
        });

        assertThat(statuses).contains(413).doesNotContain(200, 500);
    }

    /** Zero for a connection that was closed. */
    private static int status(Callable<Integer> bomb) throws Exception {
        try {
            return bomb.call();
        } catch (IOException closed) {
            return 0;
        }
    }

    @Test
    void aNumberOfAMillionDigits_isNeverCalculated() throws Exception {
        Tenant tenant = Tenant.create(admin, "digits");
        String digits = "9".repeat(1_000_000);
        tenant.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("manifests")
                .endMetadata()
                .addToData("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: " + digits + "}")
                .build());
        tenant.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("mirrors")
                .endMetadata()
                .addToData("registries.conf", "short-name-mode = " + digits)
                .build());

        unharmed("numbers of a million digits", () -> {
            tenant.controlPlane("manifests", "", """
                    platform: {type: External, platformName: lab, cloudControllerManager: External}
                    manifestsConfigMapRefs: [{name: manifests}]""");
            tenant.controlPlane("mirrors", "", "imageRegistryRef: {name: mirrors}");
            tenant.controlPlane(
                    "overrides",
                    "%s: '{\"a\": %s}'".formatted(Annotations.INSTALL_CONFIG_OVERRIDE, "9".repeat(200_000)),
                    "");
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(messages(tenant, "manifests")).contains("more than 100 digits");
                assertThat(messages(tenant, "mirrors")).contains("registries.conf");
                assertThat(messages(tenant, "overrides")).contains("install-config-override");
            });
            return null;
        });
    }

    @Test
    void secretsOfAMebibyte_areNotKept() throws Exception {
        Tenant tenant = Tenant.create(admin, "secrets");

        unharmed("90 Secrets of 1 MiB of each kind", () -> {
            for (int n = 0; n < OBJECTS; n++) {
                secret(tenant, "c" + n + "-kubeconfig", Map.of(Labels.CLUSTER_NAME, "c" + n));
                secret(tenant, "data-" + n, Map.of(Labels.CONFIG_NAME, "c" + n));
                secret(tenant, "source-" + n, Map.of("hive.openshift.io/secret-type", "kubeconfig"));
            }
            return null;
        });
    }

    @Test
    void objectsOfOtherProducts_areNotKept_andTheirNamespaceIsToldSo() throws Exception {
        Tenant tenant = Tenant.create(admin, "objects");

        unharmed("25 objects of 1 MiB of each of three kinds", () -> {
            for (int n = 0; n < 25; n++) {
                big("cluster.x-k8s.io/v1beta2", "Machine", n, tenant, """
                        {"clusterName": "c", "bootstrap": {"dataSecretName": "d"}, "infrastructureRef":
                         {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "Metal3Machine", "name": "m"}}""");
                big("agent-install.openshift.io/v1beta1", "InfraEnv", n, tenant, """
                        {"pullSecretRef": {"name": "p"}}""");
                big("extensions.hive.openshift.io/v1beta1", "AgentClusterInstall", n, tenant, """
                        {"clusterDeploymentRef": {"name": "c"}, "networking": {},
                         "provisionRequirements": {"controlPlaneAgents": 1}}""");
            }
            tenant.controlPlane("own", "", "");
            tenant.create("""
                    apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                    kind: OpenshiftAssistedConfig
                    metadata: {name: own}
                    spec: {}
                    """);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(messages(tenant, "own")).contains("is not held in memory", "in namespace objects");
                assertThat(conditions(tenant, "own")).contains(FailureReasons.OBJECTS_NOT_HELD);
            });
            return null;
        });
        for (ShippedManager manager : List.of(bootstrap, controlPlane)) {
            assertThat(manager.process().log())
                    .as("a line for each attempt")
                    .contains("in namespace objects")
                    .doesNotContain("at io.capoa.runtime.watch.EventSources");
        }

        restart();
        unharmed("the same for managers that start", () -> null);
    }

    /** With a mebibyte of labels, of which a cache needs some. */
    private static void big(String apiVersion, String kind, int number, Tenant tenant, String spec) {
        var object = new GenericKubernetesResource();
        object.setApiVersion(apiVersion);
        object.setKind(kind);
        object.setMetadata(new ObjectMetaBuilder()
                .withName("long-" + number)
                .withLabels(LABELS)
                .addToLabels(Labels.CLUSTER_NAME, "c")
                .addToLabels(Labels.CONTROL_PLANE, "")
                .build());
        object.setAdditionalProperty("spec", Serialization.unmarshal(spec, Map.class));
        var unused = tenant.create(object);
    }

    @Test
    void manifestsAtTheirLimits_areLinted() throws Exception {
        Tenant tenant = Tenant.create(admin, "manifests");
        String manifest =
                "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\nspec: {x: [" + "{},".repeat(99_000) + "]}";
        StringBuilder references = new StringBuilder();
        for (int n = 0; n < 4; n++) {
            var map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("manifests-" + n)
                    .endMetadata()
                    .build();
            map.setData(Map.of("a" + n + ".yaml", manifest, "b" + n + ".yaml", manifest, "c" + n + ".yaml", manifest));
            tenant.create(map);
            references
                    .append(n == 0 ? "" : ", ")
                    .append("{name: manifests-")
                    .append(n)
                    .append("}");
        }

        unharmed("manifests at their limits for 12 control planes", () -> {
            for (int n = 0; n < 12; n++) {
                tenant.controlPlane("c" + n, "", """
                        platform: {type: External, platformName: lab, cloudControllerManager: External}
                        manifestsConfigMapRefs: [%s]""".formatted(references));
            }
            for (int n = 0; n < 12; n++) {
                String name = "c" + n;
                await(name).atMost(PATIENCE).until(() -> messages(tenant, name).contains("cloud controller manager"));
            }
            return null;
        });

        restart();
        unharmed("the same for managers that start", () -> null);
    }

    /** The managers that begin are ready with what is there. */
    private void restart() throws Exception {
        bootstrap.close();
        controlPlane.close();
        begin();
    }

    private static void secret(Tenant tenant, String name, Map<String, String> labels) {
        tenant.create(new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .addToData("value", MEBIBYTE)
                .build());
    }

    /** The other tenant's changes are answered meanwhile; then both managers run and were never above their limits. */
    private void unharmed(String attack, Callable<?> attacking) throws Exception {
        List<ManagerChild> managers = List.of(bootstrap.process(), controlPlane.process());
        var memory = new MemoryPeaks(managers);
        Bystander.Answers answers;
        try (memory) {
            answers = bystander.during(attacking);
        }
        System.out.printf("%s: %s; memory of the managers up to %s MiB%n", attack, answers, memory.mebibytes());
        for (ManagerChild manager : managers) {
            assertThat(manager.isRunning()).as(attack).isTrue();
            assertThat(manager.isReady()).as(attack).isTrue();
            assertThat(manager.log()).as(attack).doesNotContain("OutOfMemoryError", "Stopping after a failure");
        }
        Duration requests = answers.write().multipliedBy(REQUESTS);
        String measured = "%s: %s; without it %d ms".formatted(attack, answers, calm.toMillis());
        assertThat(answers.median())
                .as(measured)
                .isLessThan(calm.multipliedBy(2).plus(requests));
        assertThat(answers.longest())
                .as(measured)
                .isLessThan(calm.multipliedBy(5).plus(requests));
        assertThat(memory.mebibytes()).as(attack).allMatch(peak -> peak < ManagerChild.LIMIT >> 20);
    }

    /** As {@code type=status reason}. */
    private static String conditions(Tenant tenant, String config) {
        var status =
                tenant.resource(OpenshiftAssistedConfig.class, config).require().getStatus();
        return status == null || status.conditions() == null
                ? ""
                : status.conditions().stream()
                        .map(condition -> condition.type() + "=" + condition.status() + " " + condition.reason())
                        .collect(Collectors.joining("\n"));
    }

    private static String messages(Tenant tenant, String controlPlane) {
        var status = tenant.resource(OpenshiftAssistedControlPlane.class, controlPlane)
                .require()
                .getStatus();
        return status == null || status.conditions() == null
                ? ""
                : status.conditions().stream()
                        .map(condition -> condition.message())
                        .collect(Collectors.joining("\n"));
    }

    private static String version(HasMetadata object) {
        return object.getMetadata().getResourceVersion();
    }
}
