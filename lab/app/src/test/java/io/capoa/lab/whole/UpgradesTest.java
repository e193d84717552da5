package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.ExtensionConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * One cluster of three control plane nodes and two workers, installed from live ISOs, over its upgrades: in front of its
 * user, with managers that are killed, with workers that follow in place, and with hosts that join afterwards.
 */
@Tag("full")
@Tag("whole")
@Disturbing
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UpgradesTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String CHANNEL = ",\"upgrade\":{\"channel\":\"stable-4.21\"}";

    /** Back, and forth again. */
    private static final List<String> KILLED_UPGRADES = List.of("4.21.1", "4.21.3");
    /** Kills during each of these upgrades. */
    private static final int KILLS = 4;

    private static final int LONGEST_LIFE_MILLIS = 2500;

    private static final Duration LONG_ENOUGH_TO_DELETE = Duration.ofSeconds(5);
    private static final String VERSION = "v1.34.5";
    /** The nodes have left it behind after the upgrade. */
    private static final String VERSION_OF_SAMPLE = "v1.33.5";

    private static final String IN_PROGRESS = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";

    private final WholeLab lab;
    private final String namespace;
    private final Stages stages = new Stages();

    UpgradesTest(WholeLab lab) {
        this.lab = lab;
        this.namespace = lab.namespace(8);
    }

    @Test
    @Order(1)
    void aMinorVersionWithPatchesOnBothSides_replacesNoMachine_touchesNoHost_andAsksOnce() throws Exception {
        stages.live(1, () -> {
            lab.apply(namespace, sample());
            lab.awaitReady(namespace);
            Map<String, String> machines = Upgrades.uids(lab, namespace);
            Map<String, Long> hosts = Upgrades.hostGenerations(lab, namespace);
            List<String> story = new CopyOnWriteArrayList<>();
            try (KubernetesClient workload = lab.workload(namespace, "multinode");
                    Watch watch = watch(story)) {
                assertThat(watch).isNotNull();
                await().atMost(Upgrades.PATIENCE)
                        .until(() -> !Upgrades.generation(workload).equals(0L));
                await("the status says what the cluster runs")
                        .atMost(WholeLab.SOON)
                        .until(() -> story.contains("4.20.3"));
                long asked = Upgrades.generation(workload);

                Upgrades.upgrade(lab, namespace, "4.20.5", "");
                Upgrades.awaitRunning(lab, namespace, "4.20.5");

                hold(workload, "\"\"");
                Upgrades.upgrade(lab, namespace, "4.21.1", CHANNEL);
                await().atMost(Upgrades.PATIENCE)
                        .until(() -> message().contains("upgrading to 4.21.1")
                                && message().contains("cluster operators updated"));
                lab.kill(Provider.CONTROL_PLANE);
                lab.kill(Provider.BOOTSTRAP);
                hold(workload, "null");
                Upgrades.awaitRunning(lab, namespace, "4.21.1");

                Upgrades.upgrade(lab, namespace, "4.21.3", "");
                lab.kill(Provider.CONTROL_PLANE);
                Upgrades.awaitRunning(lab, namespace, "4.21.3");
                await("the watch is as far as that").atMost(WholeLab.SOON).until(() -> story.contains("4.21.3"));

                assertThat(Upgrades.generation(workload))
                        .as("three requests and one change of the channel, none of them twice")
                        .isEqualTo(asked + 4);
                assertThat(Upgrades.versions(workload))
                        .containsExactly(
                                "Completed 4.21.3", "Completed 4.21.1", "Completed 4.20.5", "Completed 4.20.3");
            }

            lab.awaitReady(namespace);
            assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
            assertThat(Upgrades.hostGenerations(lab, namespace)).isEqualTo(hosts);
            OpenshiftAssistedControlPlane controlPlane = lab.controlPlane(namespace);
            assertThat(controlPlane.getStatus().versions()).containsExactly(new StatusVersion(VERSION, 3));
            assertThat(controlPlane.getStatus().upToDateReplicas()).isEqualTo(3);
            assertThat(lab.condition(namespace, "UpgradeCompleted")).hasValueSatisfying(condition -> {
                assertThat(condition.status()).isEqualTo(Condition.TRUE);
                assertThat(condition.message()).as("workers follow").isEmpty();
            });
            assertThat(story).containsSubsequence("4.20.3", "4.20.5", "4.21.1", "4.21.3");
            assertThat(lab.condition(namespace, "WorkersFollowInPlace")).hasValueSatisfying(condition -> {
                assertThat(condition.reason()).isEqualTo("WorkerVersionOutdated");
                assertThat(condition.message())
                        .startsWith("a change of the version of MachineDeployment multinode-worker from v1.33.5 to"
                                + " v1.34.5 would reinstall its hosts");
            });
        });
    }

    @Test
    @Order(2)
    void managersKilledAtRandomPoints_upgradeTheClusterAllTheSame_andAskForEachReleaseOnce() throws Exception {
        stages.live(2, () -> {
            Map<String, String> machines = Upgrades.uids(lab, namespace);
            Map<String, Long> hosts = Upgrades.hostGenerations(lab, namespace);
            long seed = System.nanoTime();
            System.out.println("seed of the random kills: " + seed);
            Random random = new Random(seed);
            try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
                long asked = Upgrades.generation(workload);
                List<String> before = Upgrades.versions(workload).reversed();
                lab.patchControlPlane(
                        namespace,
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(Annotations.ROLLBACK_FROM, KILLED_UPGRADES.getLast()));
                for (String version : KILLED_UPGRADES) {
                    Upgrades.upgrade(lab, namespace, version, CHANNEL);
                    for (int kill = 0; kill < KILLS; kill++) {
                        Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
                        lab.replaceKilledProviders();
                    }
                    Upgrades.awaitRunning(lab, namespace, version);
                }

                assertThat(Upgrades.generation(workload))
                        .as("one request for each release, none of them twice")
                        .isEqualTo(asked + KILLED_UPGRADES.size());
                assertThat(Upgrades.versions(workload).reversed())
                        .isEqualTo(Stream.concat(
                                        before.stream(),
                                        KILLED_UPGRADES.stream().map(version -> "Completed " + version))
                                .toList());
            }

            lab.awaitReady(namespace);
            assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
            assertThat(Upgrades.hostGenerations(lab, namespace)).isEqualTo(hosts);
        });
    }

    @Test
    @Order(3)
    void whileTheExtensionIsAway_nothingIsDeleted_andThenTheSameMachinesAndHostsAreUpToDate() throws Exception {
        stages.live(3, () -> {
            ExtensionConfig extension = register();
            try {
                followInPlace();
            } finally {
                lab.admin().resource(extension).delete();
            }
        });
    }

    private void followInPlace() {
        Map<String, String> machines = Upgrades.uids(lab, namespace);
        Map<String, String> objects = uids(BareMetalHost.class);
        Map<String, Long> hosts = Upgrades.hostGenerations(lab, namespace);
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, "WorkersFollowInPlace"))
                        .as("nothing warns where the extension is registered")
                        .isEmpty());

        lab.stopProviders();
        bump(VERSION);
        await().atMost(Upgrades.PATIENCE).until(() -> list(MachineSet.class).size() == 2);
        await().during(LONG_ENOUGH_TO_DELETE).atMost(Upgrades.PATIENCE).untilAsserted(() -> assertUntouched(machines));

        lab.startProviders();
        await().atMost(Upgrades.PATIENCE).untilAsserted(() -> assertUpToDate(VERSION));
        assertUntouched(machines);
        assertThat(uids(BareMetalHost.class)).isEqualTo(objects);
        assertThat(Upgrades.hostGenerations(lab, namespace)).isEqualTo(hosts);
        await().atMost(Upgrades.PATIENCE).until(() -> list(MachineSet.class).size() == 1);

        bump(VERSION_OF_SAMPLE);
        await().atMost(Upgrades.PATIENCE).untilAsserted(() -> assertUpToDate(VERSION_OF_SAMPLE));
        assertUntouched(machines);
        lab.awaitReady(namespace);
    }

    @Test
    @Order(4)
    void hostsThatJoinLater_bootALiveIsoOfTheReleaseThatTheClusterRuns() throws Exception {
        stages.live(4, () -> {
            Set<String> first = Upgrades.uids(lab, namespace).keySet();

            patchWorkers("{\"spec\":{\"replicas\":3}}");
            lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":5}}");

            try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
                await().atMost(Upgrades.PATIENCE).untilAsserted(() -> {
                    List<Node> nodes = workload.nodes().list().getItems();
                    assertThat(nodes).as(this::refusals).hasSize(8);
                    assertThat(nodes)
                            .allSatisfy(node -> assertThat(
                                            node.getStatus().getNodeInfo().getKubeletVersion())
                                    .isEqualTo(VERSION));
                });
            }
            lab.awaitReady(namespace);
            assertThat(refusals()).isEmpty();
            assertThat(list(InfraEnv.class))
                    .hasSize(8)
                    .allSatisfy(infraEnv -> assertThat(Fields.string(infraEnv, "spec", "osImageVersion"))
                            .as(infraEnv.getMetadata().getName())
                            .isEqualTo(first.contains(infraEnv.getMetadata().getName()) ? null : "4.21"));
        });
    }

    /** The live-ISO sample, under the name of the multi-node sample. */
    private static String sample() {
        return WholeLab.sample("live-iso").replaceAll("([nN]ame: )live-iso", "$1multinode");
    }

    /** Records each release that the status names. */
    private Watch watch(List<String> story) {
        return lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, OpenshiftAssistedControlPlane controlPlane) {
                        String runs = controlPlane.getStatus().distributionVersion();
                        if (story.isEmpty() || !story.getLast().equals(runs)) {
                            story.add(String.valueOf(runs));
                        }
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        story.add("watch ended: " + cause);
                    }
                });
    }

    private String message() {
        return lab.condition(namespace, "UpgradeCompleted")
                .map(Condition::message)
                .orElse("");
    }

    private static void hold(KubernetesClient workload, String value) {
        var unused = workload.genericKubernetesResources("config.openshift.io/v1", "ClusterOperator")
                .withName("dns")
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"lab.capoa.io/hold\":%s}}}".formatted(value));
    }

    /** As a user does, with the file of the release; for one namespace, because other suites share the lab. */
    private ExtensionConfig register() throws IOException {
        String file = Files.readString(
                ProjectRoot.find().resolve("config/controlplane/runtime-extension/extension_config.yaml"));
        lab.admin()
                .resource(
                        file + "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + namespace + "}}\n")
                .create();
        return await().atMost(Upgrades.PATIENCE)
                .until(
                        () -> lab.admin()
                                .resources(ExtensionConfig.class)
                                .withName("capoa-controlplane")
                                .require(),
                        extension -> ConditionView.isTrue(extension, "Discovered"));
    }

    private void bump(String version) {
        patchWorkers("{\"spec\":{\"template\":{\"spec\":{\"version\":\"%s\"}}}}".formatted(version));
    }

    private void patchWorkers(String body) {
        var unused = lab.admin()
                .resources(MachineDeployment.class)
                .inNamespace(namespace)
                .withName("multinode-worker")
                .patch(MERGE, body);
    }

    private void assertUntouched(Map<String, String> machines) {
        assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
        assertThat(list(Machine.class))
                .allSatisfy(machine ->
                        assertThat(machine.getMetadata().getDeletionTimestamp()).isNull());
    }

    private void assertUpToDate(String version) {
        List<Machine> workers = list(Machine.class).stream()
                .filter(machine -> machine.getMetadata().getLabels().containsKey("cluster.x-k8s.io/deployment-name"))
                .toList();
        assertThat(workers).hasSize(2).allSatisfy(machine -> {
            assertThat(Fields.string(machine, "spec", "version")).isEqualTo(version);
            assertThat(machine.getMetadata().getAnnotations()).doesNotContainKey(IN_PROGRESS);
            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
        });
        assertThat(list(MachineDeployment.class)).singleElement().satisfies(deployment -> {
            assertThat(Fields.integer(deployment, "status", "replicas")).isEqualTo(2);
            assertThat(Fields.integer(deployment, "status", "upToDateReplicas")).isEqualTo(2);
        });
    }

    private <R extends HasMetadata> List<R> list(Class<R> kind) {
        return lab.admin().resources(kind).inNamespace(namespace).list().getItems();
    }

    private Map<String, String> uids(Class<? extends HasMetadata> kind) {
        return list(kind).stream()
                .collect(Collectors.toMap(
                        object -> object.getMetadata().getName(),
                        object -> object.getMetadata().getUid()));
    }

    private String refusals() {
        return list(BareMetalHost.class).stream()
                .flatMap(host -> lab
                        .peers()
                        .hosts()
                        .lastRefusal(namespace, host.getMetadata().getName())
                        .stream())
                .collect(Collectors.joining("; "));
    }
}
