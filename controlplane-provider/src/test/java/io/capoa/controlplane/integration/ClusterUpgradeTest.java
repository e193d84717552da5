package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.AvailableUpdate;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.ReleaseCatalogue;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Upgrades of an installed cluster with one control plane node, as the spec asks for them or as others make them. */
@ExtendWith({SharedCluster.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class ClusterUpgradeTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String INSTALLED = "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64";
    private static final String SINGLE = "spec: {replicas: 1, config: {apiVIPs: null, ingressVIPs: null}}";
    private static final String GATE = "ack-4.20-kube-1.34-api-removals-in-4.21";

    private WorkloadClusters clusters;
    private Workload workload;
    private KubernetesClient client;
    private ControlPlaneScene scene;

    @AfterEach
    void stop() {
        if (scene != null) {
            scene.close();
        }
        if (client != null) {
            client.close();
        }
        if (clusters != null) {
            clusters.close();
        }
    }

    @Test
    void aLaterPatch_isAskedForOnce_byVersionAndDigest_andFollowedToItsEnd(RunningControlPlane shared)
            throws Exception {
        install(shared);
        within(() -> offered().contains("4.20.5"));
        long before = version().getMetadata().getGeneration();

        scene.peers.edit("spec: {distributionVersion: 4.20.5}");
        within(() -> "4.20.5".equals(scene.status().distributionVersion()));
        within(() -> scene.isTrue("UpgradeCompleted") && scene.isTrue("MachinesUpToDate"));

        Map<String, Object> asked = Fields.map(version(), "spec", "desiredUpdate");
        assertThat(asked).containsEntry("version", "4.20.5").containsEntry("force", false);
        assertThat(String.valueOf(asked.get("image"))).contains("@sha256:");
        assertThat(version().getMetadata().getGeneration()).isEqualTo(before + 1);
        assertThat(scene.reason("UpgradeAvailable")).isEmpty();
        assertThat(scene.status().upToDateReplicas()).isEqualTo(1);
        assertThat(scene.isTrue("Ready")).isTrue();
        within(() -> offered().contains("4.20.6"));
        assertThat(offered()).doesNotContain("4.20.5", "4.20.3");
    }

    /** The cluster says nothing while it retrieves the release, and its API breaks off while it restarts. */
    @Test
    void noMachineIsUpToDate_fromTheRequestUntilTheUpgradeIsComplete(RunningControlPlane shared) throws Exception {
        install(shared);
        within(() -> offered().contains("4.20.5"));
        within(() -> upToDate(scene.peers.machines().getFirst()).equals("True"));
        List<String> seen = new CopyOnWriteArrayList<>();
        List<String> machines = new CopyOnWriteArrayList<>();
        ControlPlanePeers peers = scene.peers;
        try (var statuses = peers.client
                        .resources(OpenshiftAssistedControlPlane.class)
                        .inNamespace(peers.namespace)
                        .watch(on(of -> add(seen, String.valueOf(of.getStatus().upToDateReplicas()))));
                var conditions = peers.client
                        .resources(Machine.class)
                        .inNamespace(peers.namespace)
                        .watch(on(machine -> add(machines, upToDate(machine))))) {
            assertThat(List.of(statuses, conditions)).doesNotContainNull();
            annotate("hold", "");
            scene.peers.edit("spec: {distributionVersion: 4.20.5}");
            within(() -> "4.20.5".equals(Fields.string(version(), "spec", "desiredUpdate", "version")));
            within(() -> machines.contains("False") && seen.contains("0"));
            patch(clusterVersion(), "{\"metadata\":{\"annotations\":{\"lab.capoa.io/hold\":null}}}");
            within(() -> "4.20.5".equals(scene.status().distributionVersion()));
            within(() -> seen.getLast().equals("1") && machines.getLast().equals("True"));
        }
        assertThat(seen).containsExactly("1", "0", "1");
        assertThat(machines).containsExactly("True", "False", "True");
    }

    private static String upToDate(Machine machine) {
        return ConditionView.of(machine, "UpToDate").map(ConditionView::status).orElse("");
    }

    private static void add(List<String> seen, String value) {
        if (seen.isEmpty() || !seen.getLast().equals(value)) {
            seen.add(value);
        }
    }

    private static <T> Watcher<T> on(Consumer<T> consumer) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                consumer.accept(object);
            }

            @Override
            public void onClose(WatcherException cause) {}
        };
    }

    /** Of a cluster at rest nothing is asked for hours with this period: what it said then is out of date. */
    @Test
    void aFailureThatIsRepaired_stopsNoUpgradeThatIsAskedForLater(TestCluster cluster) throws Exception {
        install(ControlPlaneScene.ownWithControlPlane(cluster, SINGLE));
        operator("kube-apiserver", "fail", "\"Available\"");
        within(() -> scene.is("ControlPlaneComponentsHealthy", "False"));
        scene.running.stop();
        List<String> requests = new CopyOnWriteArrayList<>();
        workload.onRequest(requests::add);
        scene.running.start(Duration.ofDays(1));
        within(() -> requests.stream().anyMatch(request -> request.contains("/machineconfigpools")));
        operator("kube-apiserver", "fail", "null");
        List<String> reasons = new CopyOnWriteArrayList<>();
        try (var statuses = scene.peers
                .client
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(scene.peers.namespace)
                .watch(on(of -> add(reasons, scene.reason("UpgradeAvailable"))))) {
            assertThat(statuses).isNotNull();
            scene.peers.edit("spec: {distributionVersion: 4.20.5}");
            within(() -> "4.20.5".equals(Fields.string(version(), "spec", "desiredUpdate", "version")));
        }
        assertThat(reasons).doesNotContain("UpgradeWaitingForControlPlane");
    }

    /** Of a cluster at rest nothing is asked for hours with this period, unless the spec asks for something. */
    @Test
    void afterARestart_aPatchIsAskedForAtOnce(TestCluster cluster) throws Exception {
        install(ControlPlaneScene.ownWithControlPlane(cluster, SINGLE));
        within(() -> scene.isTrue("ControlPlaneComponentsHealthy") && scene.isTrue("Ready"));
        scene.running.stop();
        scene.running.start(Duration.ofDays(1));
        scene.peers.edit("metadata: {annotations: {cluster.x-k8s.io/paused: ''}}");
        within(() -> scene.isTrue("Paused"));
        scene.peers.edit("metadata: {annotations: {cluster.x-k8s.io/paused: null}}");
        within(() -> scene.is("Paused", "False"));

        scene.peers.edit("spec: {distributionVersion: 4.20.5}");
        within(() -> "4.20.5".equals(Fields.string(version(), "spec", "desiredUpdate", "version")));
        within(() -> "4.20.5".equals(scene.status().distributionVersion()));
    }

    @Test
    void poolsOfTheSpec_arePausedBeforeTheUpgrade_andGoOnWhenTheyAreTakenFromIt(RunningControlPlane shared)
            throws Exception {
        install(shared);
        within(() -> offered().contains("4.20.5"));

        scene.peers.edit("spec: {distributionVersion: 4.20.5, upgrade: {pausedWorkerPools: [wroker]}}");
        within(() -> "UpgradePoolNotReady".equals(scene.reason("UpgradeAvailable")));
        assertThat(Fields.any(version(), "spec", "desiredUpdate")).isNull();

        scene.peers.edit("spec: {upgrade: {pausedWorkerPools: [worker]}}");
        within(() -> "4.20.5".equals(scene.status().distributionVersion()));
        assertThat(Fields.isTrue(pool("worker").require(), "spec", "paused")).isTrue();
        assertThat(Fields.isTrue(pool("master").require(), "spec", "paused")).isFalse();

        scene.peers.edit("spec: {upgrade: null}");
        within(() -> !Fields.isTrue(pool("worker").require(), "spec", "paused"));
        assertThat(pool("worker").require().getMetadata().getAnnotations())
                .doesNotContainKey("controlplane.cluster.x-k8s.io/paused-for-upgrade");
    }

    @Test
    void aMinorVersion_needsChannelAcknowledgementAndAcceptedRisk_eachNamedInTurn(RunningControlPlane shared)
            throws Exception {
        install(shared);
        patch(
                client.configMaps().inNamespace("openshift-config-managed").withName("admin-gates"),
                "{\"data\":{\"%s\":\"Kubernetes 1.34 removes APIs.\"}}".formatted(GATE));
        annotate("risks", "4.21.2=SlowBoot");
        long before = version().getMetadata().getGeneration();

        scene.peers.edit("spec: {distributionVersion: 4.21.2}");
        blocked("UpgradeAcknowledgementRequired", "Kubernetes 1.34 removes APIs.", GATE);
        scene.peers.edit("spec: {upgrade: {acknowledgements: [%s]}}".formatted(GATE));
        blocked("UpgradeNotOffered", "stable-4.20", "spec.upgrade.channel");
        assertThat(version().getMetadata().getGeneration())
                .as("nothing half-written")
                .isEqualTo(before);
        scene.peers.edit("spec: {upgrade: {channel: stable-4.21}}");
        blocked("UpgradeNotRecommended", "SlowBoot");
        within(() -> scene.status().availableUpdates() != null
                && scene.status().availableUpdates().contains(new AvailableUpdate("4.21.2", List.of("SlowBoot"))));
        assertThat(Fields.any(version(), "spec", "desiredUpdate")).isNull();

        scene.peers.edit("spec: {upgrade: {acceptedRisks: [SlowBoot]}}");
        within(() -> "4.21.2".equals(scene.status().distributionVersion()));
        within(() -> scene.isTrue("UpgradeCompleted"));
    }

    @Test
    void anUnsignedRelease_isAFailureWithinSeconds_andIsTakenBackByTheSpec(RunningControlPlane shared)
            throws Exception {
        install(shared);
        annotate("unsigned", "4.20.6");

        scene.peers.edit("spec: {distributionVersion: 4.20.6}");
        within(() -> scene.reason("UpgradeCompleted").equals("UpgradeFailed"));
        assertThat(scene.message("UpgradeCompleted"))
                .contains("refuses release 4.20.6", "set spec.distributionVersion to 4.20.3");
        assertThat(scene.isTrue("Ready")).isTrue();

        scene.peers.edit("spec: {distributionVersion: 4.20.3}");
        within(() -> scene.reason("UpgradeCompleted").isEmpty() && scene.isTrue("MachinesUpToDate"));
        within(() -> Fields.any(version(), "spec", "desiredUpdate") == null);
        annotate("unsigned", "");
        scene.peers.edit("spec: {distributionVersion: 4.20.7}");
        within(() -> "4.20.7".equals(scene.status().distributionVersion()));
        assertThat(Fields.list(version(), "status", "history"))
                .as("the withdrawn release never ran")
                .noneMatch(entry -> Fields.text(entry, "version").equals("4.20.6"));
    }

    @Test
    void anUnsignedRelease_isForcedByTheSpec(RunningControlPlane shared) throws Exception {
        install(shared);
        annotate("unsigned", "4.20.6");
        scene.peers.edit("spec: {distributionVersion: 4.20.6}");
        within(() -> scene.reason("UpgradeCompleted").equals("UpgradeFailed"));

        scene.peers.edit("spec: {distributionVersion: 4.20.6, upgrade: {force: true}}");
        within(() -> "4.20.6".equals(scene.status().distributionVersion()));
    }

    @Test
    void whatCannotFollow_isNamedWithTheRemedy_andNothingIsWritten(RunningControlPlane shared) throws Exception {
        install(shared);
        long before = version().getMetadata().getGeneration();

        scene.peers.edit("spec: {distributionVersion: 4.20.1}");
        blocked("UpgradePathUnsupported", "cannot go back to 4.20.1");
        assertThat(scene.status().upToDateReplicas()).isZero();
        scene.peers.edit("spec: {distributionVersion: 4.22.0}");
        blocked("UpgradePathUnsupported", "upgrade to a release of 4.21 first");
        patch(pool("master"), "{\"spec\":{\"paused\":true}}");
        scene.peers.edit("spec: {distributionVersion: 4.20.5}");
        blocked("UpgradePoolNotReady", "master is paused");
        assertThat(version().getMetadata().getGeneration()).isEqualTo(before);

        scene.peers.edit("spec: {distributionVersion: 4.20.3}");
        within(() -> scene.reason("UpgradeAvailable").isEmpty() && scene.isTrue("MachinesUpToDate"));
        assertThat(scene.status().upToDateReplicas()).isEqualTo(1);
    }

    @Test
    void withoutAnUpdateService_theReleaseIsAskedForByTheDigestOfItsRegistry(RunningControlPlane shared)
            throws Exception {
        install(shared);
        annotate("upstream", "unreachable");
        // Before, the release is offered.
        within(() -> Fields.list(version(), "status", "availableUpdates").isEmpty());
        scene.peers.edit("spec: {distributionVersion: 4.20.7}");
        blocked("UpgradeNotOffered", "no list of updates", "spec.upgrade.allowExplicitUpgrade");

        scene.peers.edit("spec: {upgrade: {allowExplicitUpgrade: true}}");
        within(() -> "4.20.7".equals(scene.status().distributionVersion()));
    }

    @Test
    void anUpgradeByOcThatIsComplete_isNotUndone_unlessTheUserAgrees(RunningControlPlane shared) throws Exception {
        install(shared);
        workload.upgrade(ReleaseVersions.fromTag("registry.test/ocp-release:4.20.4-x86_64"));
        blocked("UpgradeToOtherRelease", "upgraded to 4.20.4");
        workload.upgraded();
        blocked(
                "UpgradePathUnsupported",
                "runs 4.20.4, which is later than 4.20.3: set spec.distributionVersion to 4.20.4",
                "rollback-from=4.20.4");
        assertThat(Fields.string(version(), "spec", "desiredUpdate", "version")).isNotEqualTo("4.20.3");

        scene.peers.edit("metadata: {annotations: {controlplane.cluster.x-k8s.io/rollback-from: 4.20.4}}");
        within(() -> "4.20.3".equals(Fields.string(version(), "spec", "desiredUpdate", "version")));
        within(() -> "4.20.3".equals(scene.status().distributionVersion()) && scene.isTrue("UpgradeCompleted"));
    }

    @Test
    void anUpgradeByOc_isFollowed_andNotReplaced(RunningControlPlane shared) throws Exception {
        install(shared);
        workload.upgrade(ReleaseVersions.fromTag("registry.test/ocp-release:4.20.4-x86_64"));
        blocked("UpgradeToOtherRelease", "upgraded to 4.20.4", "set spec.distributionVersion to 4.20.4");
        assertThat(scene.status().distributionVersion()).isEqualTo("4.20.3");

        scene.peers.edit("spec: {distributionVersion: 4.20.4}");
        within(() -> scene.reason("UpgradeCompleted").equals("UpgradeInProgress"));
        assertThat(scene.message("UpgradeCompleted")).startsWith("upgrading to 4.20.4: ");

        workload.upgraded();
        within(() -> "4.20.4".equals(scene.status().distributionVersion()));
        within(() -> scene.isTrue("MachinesUpToDate") && scene.isTrue("UpgradeCompleted"));
        assertThat(scene.reason("UpgradeAvailable")).isEmpty();
    }

    @Test
    void aStuckOperator_isQuoted_andTheUpgradeGoesOnWhenItIsMended(RunningControlPlane shared) throws Exception {
        install(shared);
        console("hold", "\"\"");
        scene.peers.edit("spec: {distributionVersion: 4.20.5}");
        within(() -> scene.message("UpgradeCompleted").contains("cluster operators updated"));
        assertThat(scene.reason("UpgradeCompleted")).isEqualTo("UpgradeInProgress");
        console("fail", "\"Available\"");
        within(() -> scene.reason("UpgradeCompleted").equals("UpgradeFailed"));
        assertThat(scene.message("UpgradeCompleted"))
                .contains("upgrade to 4.20.5 does not get on", "console", "cluster operators updated");

        console("fail", "null");
        console("hold", "null");
        within(() -> "4.20.5".equals(scene.status().distributionVersion()));
    }

    @Test
    void anUpgradeThatRepairsAnOperator_startsWithConsent(RunningControlPlane shared) throws Exception {
        install(shared);
        console("fail", "\"Available\"");
        within(() -> Fields.list(version(), "status", "conditions").stream()
                .anyMatch(condition -> Fields.text(condition, "type").equals("Failing")
                        && Fields.text(condition, "status").equals("True")));
        scene.peers.edit("spec: {distributionVersion: 4.20.5}");
        blocked("UpgradeWaitingForControlPlane", "console is not available", "upgrade-with-warnings=4.20.5");

        scene.peers.edit("metadata: {annotations: {controlplane.cluster.x-k8s.io/upgrade-with-warnings: 4.20.5}}");
        within(() -> "4.20.5".equals(Fields.string(version(), "spec", "desiredUpdate", "version")));
        console("fail", "null");
        within(() -> "4.20.5".equals(scene.status().distributionVersion()));
    }

    @Test
    void aControlPlaneOfATopology_waitsForTheVersionThatTheReleaseConfirms(RunningControlPlane shared)
            throws Exception {
        install(shared);
        topology("v1.33.5");
        scene.peers.edit("metadata: {labels: {topology.cluster.x-k8s.io/owned: ''}}\nspec: {version: v1.33.5}");
        long before = version().getMetadata().getGeneration();

        scene.peers.edit("spec: {distributionVersion: 4.21.2, upgrade: {channel: stable-4.21}}");
        blocked("UpgradeVersionMismatch", "v1.33.5", "release 4.21.2", "set spec.topology.version to v1.34.5");
        topology("v1.34.5");
        blocked("UpgradeWaitingForVersion", "from v1.33.5 to v1.34.5", "TopologyReconciled");
        assertThat(version().getMetadata().getGeneration())
                .as("nothing is written before the hooks of Cluster API")
                .isEqualTo(before);

        scene.peers.edit("spec: {version: v1.34.5}");
        within(() -> "4.21.2".equals(scene.status().distributionVersion()));
    }

    @Test
    void aVersionThatTheReleaseDoesNotHave_isNamed_alsoWithoutATopology(RunningControlPlane shared) throws Exception {
        install(shared);
        long before = version().getMetadata().getGeneration();

        scene.peers.edit("spec: {version: v1.33.6, distributionVersion: 4.20.5}");
        blocked("UpgradeVersionMismatch", "spec.version is v1.33.6", "has Kubernetes v1.33.5", "or remove it");
        assertThat(version().getMetadata().getGeneration()).isEqualTo(before);

        scene.peers.edit("spec: {version: null}");
        within(() -> "4.20.5".equals(scene.status().distributionVersion()));
    }

    @Test
    void anotherKubernetesVersionThanRuns_isReportedAfterTheInstallation(RunningControlPlane shared) throws Exception {
        install(shared);
        scene.peers.edit("spec: {version: v1.32.0}");
        within(() -> scene.reason("ReleaseResolved").equals("VersionMismatch"));
        assertThat(scene.message("ReleaseResolved")).contains("v1.32.0", "runs Kubernetes v1.33.5", "remove it");
        assertThat(scene.reason("UpgradeAvailable"))
                .as("an older version asks for nothing")
                .isEmpty();
        scene.peers.edit("spec: {version: v1.34.0}");
        blocked("UpgradeVersionMismatch", "spec.version is v1.34.0", "release 4.20.3", "run v1.33.5");

        scene.peers.edit("spec: {version: v1.33.5}");
        within(() -> scene.isTrue("ReleaseResolved"));
    }

    private void blocked(String reason, String... parts) {
        await().atMost(ControlPlaneScene.SOON).untilAsserted(() -> {
            assertThat(scene.reason("UpgradeAvailable")).isEqualTo(reason);
            assertThat(scene.message("UpgradeAvailable")).contains(parts);
        });
    }

    private List<String> offered() {
        List<AvailableUpdate> updates = scene.status().availableUpdates();
        return updates == null
                ? List.of()
                : updates.stream().map(AvailableUpdate::version).toList();
    }

    private GenericKubernetesResource version() {
        return clusterVersion().require();
    }

    private Resource<GenericKubernetesResource> clusterVersion() {
        return client.genericKubernetesResources("config.openshift.io/v1", "ClusterVersion")
                .withName("version");
    }

    private Resource<GenericKubernetesResource> pool(String name) {
        return client.genericKubernetesResources("machineconfiguration.openshift.io/v1", "MachineConfigPool")
                .withName(name);
    }

    private void console(String annotation, String value) {
        operator("console", annotation, value);
    }

    private void operator(String name, String annotation, String value) {
        patch(
                client.genericKubernetesResources("config.openshift.io/v1", "ClusterOperator")
                        .withName(name),
                "{\"metadata\":{\"annotations\":{\"lab.capoa.io/%s\":%s}}}".formatted(annotation, value));
    }

    private void annotate(String name, String value) {
        patch(clusterVersion(), "{\"metadata\":{\"annotations\":{\"lab.capoa.io/%s\":\"%s\"}}}".formatted(name, value));
    }

    /** What the topology of the Cluster asks for. */
    private void topology(String version) {
        patch(
                scene.peers
                        .client
                        .resources(Cluster.class)
                        .inNamespace(scene.peers.namespace)
                        .withName(scene.peers.name),
                "{\"spec\":{\"topology\":{\"classRef\":{\"name\":\"any\"},\"version\":\"%s\"}}}".formatted(version));
    }

    private static void patch(Resource<?> object, String mergePatch) {
        assertThat(object.patch(MERGE, mergePatch)).isNotNull();
    }

    private void install(RunningControlPlane shared) throws IOException, InterruptedException {
        install(ControlPlaneScene.withControlPlane(shared, SINGLE));
    }

    /** A cluster of release 4.20.3 with one control plane node, whose upgrades take a second or two. */
    private void install(ControlPlaneScene of) throws IOException, InterruptedException {
        scene = of;
        clusters = new WorkloadClusters(
                        0,
                        Delays.none()
                                .set(Delays.Of.PAYLOAD, Duration.ofMillis(200))
                                .set(Delays.Of.OPERATOR, Duration.ofMillis(20))
                                .set(Delays.Of.REBOOT, Duration.ofMillis(200)))
                .start();
        clusters.connect(new ReleaseCatalogue(scene.running.registry));
        workload = clusters.create("one", ReleaseVersions.fromTag(INSTALLED));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(workload.kubeconfig()))
                .build();
        WorkloadApi.of(workload.kubeletKubeconfig()).send("PUT", "/machines/n-0?role=master", Map.of());
        assertThat(client.resource(new NodeBuilder()
                                .withNewMetadata()
                                .withName("n-0")
                                .addToLabels("node-role.kubernetes.io/master", "")
                                .endMetadata()
                                .withNewStatus()
                                .withNewNodeInfo()
                                .withKubeletVersion("v1.33.5")
                                .endNodeInfo()
                                .addNewAddress("10.0.0.10", "InternalIP")
                                .addNewCondition()
                                .withType("Ready")
                                .withStatus("True")
                                .endCondition()
                                .endStatus()
                                .build())
                        .create())
                .isNotNull();
        workload.complete();
        ControlPlanePeers peers = scene.peers;
        peers.installState("installing");
        Machine machine = peers.machines().getFirst();
        peers.ready(machine, true);
        peers.publishKubeconfig(workload.kubeconfig());
        peers.complete();
        peers.installState("adding-hosts");
        within(() -> scene.isTrue("Ready") && "4.20.3".equals(scene.status().distributionVersion()));
    }
}
