package io.capoa.lab.workload;

import static io.capoa.lab.workload.UpgradeScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Delays;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An upgrade as a client of the cluster's API sees it. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("upgrade of one test")
class UpgradeTest {

    private UpgradeScene scene;

    @BeforeEach
    void start() throws Exception {
        scene = new UpgradeScene(UpgradeScene.quick());
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    @Test
    void anUpgrade_isRetrieved_thenOperatorsFollowOneByOne_thenMasters_andWorkersWithoutBeingWaitedFor() {
        UpgradeScene.patch(scene.version(), UpgradeScene.CHANNEL);
        List<String> seen = new CopyOnWriteArrayList<>();
        List<String> unready = new CopyOnWriteArrayList<>();
        try (var versions = scene.version().watch(on(version -> seen.addAll(seenIn(version))));
                var nodes = scene.client.nodes().watch(on(node -> unready.add(unreadyMasters(node))))) {
            assertThat(List.of(versions, nodes)).doesNotContainNull();
            within(() -> !seen.isEmpty());
            scene.annotate(scene.pool("worker"), "hold", "\"\"");
            within(() -> condition("RetrievedUpdates", "status").equals("True"));
            scene.request("4.21.2", "");
            within(() -> seen.contains("Progressing False: Cluster version is 4.21.2"));
            within(() -> unready.containsAll(List.of("m-0", "m-1", "m-2")));
        }

        assertThat(new LinkedHashSet<>(seen))
                .containsSubsequence(
                        "ReleaseAccepted True PayloadLoaded 4.20.3",
                        "observed behind",
                        "ReleaseAccepted True PayloadLoaded 4.21.2",
                        "Progressing True, waiting on config-operator",
                        "Progressing True, waiting on etcd",
                        "Progressing True, waiting on kube-apiserver",
                        "Progressing True, waiting on authentication",
                        "Progressing True, waiting on network",
                        "Progressing True, waiting on machine-config",
                        "Progressing False: Cluster version is 4.21.2");
        assertThat(seen)
                .as("while the operator retrieves, the status is that of the spec before")
                .noneMatch(status -> status.contains("ReleaseAccepted Unknown"));
        assertThat(scene.history(0)).isEqualTo("Completed 4.21.2");
        assertThat(scene.kubelets("master")).containsExactly("v1.34.5");
        assertThat(scene.kubelets("worker")).as("held").containsExactly("v1.33.5");
        assertThat(scene.client.getKubernetesVersion().getGitVersion()).isEqualTo("v1.34.5");
        assertThat(Fields.any(scene.operator("dns").get(), "status", "versions"))
                .isEqualTo(List.of(Map.of("name", "operator", "version", "4.21.2")));
        GenericKubernetesResource version = scene.version().get();
        assertThat(UpgradeScene.history(version, 1)).isEqualTo("Completed 4.20.3");
        assertThat(Fields.string(version, "status", "desired", "image")).isEqualTo(scene.image("4.21.2"));

        scene.annotate(scene.pool("worker"), "hold", "null");
        within(() -> scene.kubelets("worker").equals(List.of("v1.34.5")));
        within(() -> scene.pool("worker", "Updated").equals("True"));
        assertThat(scene.client.nodes().list().getItems())
                .allSatisfy(
                        node -> assertThat(node.getSpec().getUnschedulable()).isNull())
                .allMatch(UpgradeScene::isReady);
    }

    @Test
    void atMostOneMaster_isNotReady_andEtcdKeepsItsQuorum() {
        List<Set<String>> rounds = new CopyOnWriteArrayList<>();
        Set<String> down = new LinkedHashSet<>();
        try (var nodes = scene.client
                .nodes()
                .withLabel("node-role.kubernetes.io/master")
                .watch(on(node -> {
                    String name = node.getMetadata().getName();
                    boolean changed = UpgradeScene.isReady(node) ? down.remove(name) : down.add(name);
                    if (changed) {
                        rounds.add(Set.copyOf(down));
                    }
                }))) {
            assertThat(nodes).isNotNull();
            scene.request("4.20.5", "");
            within(() -> rounds.containsAll(List.of(Set.of("m-0"), Set.of("m-1"), Set.of("m-2"))));
        }

        assertThat(rounds).allMatch(names -> names.size() <= 1);
    }

    @Test
    void aPausedPool_keepsItsKubelets_alsoThatOfANewNode() throws Exception {
        UpgradeScene.patch(scene.version(), UpgradeScene.CHANNEL);
        UpgradeScene.patch(scene.pool("worker"), "{\"spec\":{\"paused\":true}}");
        within(() -> condition("RetrievedUpdates", "status").equals("True"));
        scene.request("4.21.0", "");
        within(() -> scene.history(0).equals("Completed 4.21.0"));

        assertThat(scene.kubelets("worker")).containsExactly("v1.33.5");
        assertThat(scene.pool("worker", "Updated")).isEqualTo("False");
        assertThat(scene.pool("worker", "Updating")).isEqualTo("False");
        assertThat(scene.powerOn("w-9", "worker").body()).containsEntry("kubeletVersion", "v1.33.5");
        assertThat(scene.powerOn("m-9", "master").body()).containsEntry("kubeletVersion", "v1.34.5");

        UpgradeScene.patch(scene.pool("worker"), "{\"spec\":{\"paused\":false}}");
        within(() -> scene.kubelets("worker").equals(List.of("v1.34.5")));
    }

    @ParameterizedTest
    @CsvSource({
        "4.99.0, '', Invalid, InvalidClusterVersion",
        "'', registry.test/ocp-release:4.20.5-x86_64, ReleaseAccepted, RetrievePayload",
        "4.20.6, 4.20.6, ReleaseAccepted, RetrievePayload",
        "4.20.7, 4.20.5, ReleaseAccepted, VerifyPayloadVersion",
        "'', 4.20.1, ReleaseAccepted, PreconditionChecks",
        "'', 4.22.0, ReleaseAccepted, PreconditionChecks",
        "4.20.8, '', Invalid, InvalidClusterVersion"
    })
    void aBadRequest_isRefused_andTheClusterStays(String version, String image, String type, String reason) {
        scene.annotate(scene.version(), "unsigned", "\"4.20.6\"");
        scene.annotate(scene.version(), "risks", "\"4.20.8=SlowBoot\"");

        scene.request(version, image.startsWith("4.") ? scene.image(image) : image);

        within(() -> condition(type, "reason").equals(reason)
                && !condition(type, "status").equals("Unknown"));
        GenericKubernetesResource after = scene.version().get();
        assertThat(after.getMetadata().getGeneration().intValue())
                .isEqualTo(Fields.integer(after, "status", "observedGeneration"));
        assertThat(Fields.list(after, "status", "history")).hasSize(1);
        assertThat(UpgradeScene.condition(after, "Progressing", "status")).isEqualTo("False");
        assertThat(Fields.string(after, "status", "desired", "version")).isEqualTo("4.20.3");
    }

    @Test
    void aMinorRelease_needsTheAdminsAck_andForceDoesNotNeedASignature() {
        String gate = "ack-4.20-kube-1.34-api-removals-in-4.21";
        var configMaps = scene.client.configMaps();
        UpgradeScene.patch(
                configMaps.inNamespace("openshift-config-managed").withName("admin-gates"),
                "{\"data\":{\"%s\":\"Kubernetes 1.34 removes APIs.\"}}".formatted(gate));
        scene.request("", scene.image("4.21.0"));
        within(() -> condition("ReleaseAccepted", "message").contains("AdminAckRequired"));
        assertThat(condition("Upgradeable", "reason")).isEqualTo("AdminAckRequired");

        scene.annotate(scene.version(), "unsigned", "\"4.21.0\"");
        UpgradeScene.patch(
                configMaps.inNamespace("openshift-config").withName("admin-acks"),
                "{\"data\":{\"%s\":\"true\"}}".formatted(gate));
        within(() -> condition("ReleaseAccepted", "reason").equals("RetrievePayload"));
        assertThat(condition("Upgradeable", "status")).isEmpty();

        scene.request("{\"force\":true}");
        within(() -> scene.history(0).equals("Completed 4.21.0"));
        Object entry = Fields.list(scene.version().get(), "status", "history").getFirst();
        assertThat(Fields.any(entry, "verified")).isEqualTo(false);
        assertThat(Fields.text(entry, "acceptedRisks")).contains("the update was forced");
    }

    @Test
    void aFailingOperator_holdsTheUpgradeUntilItIsMended() {
        scene.annotate(scene.operator("console"), "fail", "\"Available\"");
        scene.request("4.20.5", "");
        within(() -> condition("Progressing", "message").startsWith("Unable to apply 4.20.5"));
        assertThat(condition("Failing", "reason")).isEqualTo("ClusterOperatorNotAvailable");
        assertThat(UpgradeScene.condition(scene.operator("console").get(), "Available", "status"))
                .isEqualTo("False");

        // In this order: console's successors are updated as soon as it is mended.
        scene.annotate(scene.operator("dns"), "hold", "\"\"");
        scene.annotate(scene.operator("console"), "fail", "null");
        within(() -> condition("Failing", "reason").equals("SlowClusterOperator"));
        assertThat(condition("Failing", "status")).isEqualTo("Unknown");

        scene.annotate(scene.operator("dns"), "hold", "null");
        within(() -> scene.history(0).equals("Completed 4.20.5"));
    }

    @Test
    void aDegradedPool_holdsTheUpgrade_andBlocksMinorReleases() {
        scene.annotate(scene.pool("worker"), "fail", "\"disk is full\"");
        scene.request("4.20.5", "");
        within(() -> condition("Failing", "reason").equals("ClusterOperatorDegraded"));
        assertThat(scene.pool("worker", "Degraded")).isEqualTo("True");
        assertThat(UpgradeScene.condition(scene.operator("machine-config").get(), "Upgradeable", "reason"))
                .isEqualTo("DegradedPool");

        scene.annotate(scene.pool("worker"), "fail", "null");
        within(() -> scene.history(0).equals("Completed 4.20.5"));
        within(() -> scene.pool("worker", "Updated").equals("True"));
    }

    @Test
    void theUpdateService_offersReleasesOfTheChannel_andSaysWhenItCannot() {
        within(() -> !Fields.list(scene.version().get(), "status", "availableUpdates")
                .isEmpty());
        scene.annotate(scene.version(), "risks", "\"4.20.8=SlowBoot\"");
        within(() -> !Fields.list(scene.version().get(), "status", "conditionalUpdates")
                .isEmpty());
        assertThat(offered()).contains("4.20.9", "4.20.4").doesNotContain("4.20.8", "4.21.0");

        scene.annotate(scene.version(), "upstream", "\"unreachable\"");
        within(() -> condition("RetrievedUpdates", "reason").equals("RemoteFailed"));
        assertThat(offered()).isEmpty();
        UpgradeScene.patch(scene.version(), "{\"spec\":{\"channel\":\"\"}}");
        within(() -> condition("RetrievedUpdates", "reason").equals("NoChannel"));
    }

    @Test
    void whileAMasterReboots_connectionsBreak_unlessTheClusterVersionAsksForNone() throws Exception {
        // Long enough for several requests on a busy machine.
        scene.close();
        scene = new UpgradeScene(UpgradeScene.quick().set(Delays.Of.REBOOT, Duration.ofMillis(600)));
        assertThat(brokenRequestsDuring("4.20.5")).isPositive();
        scene.annotate(scene.version(), "blips", "\"off\"");
        assertThat(brokenRequestsDuring("4.20.6")).isZero();
    }

    @Test
    void aWrite_changesItsOwnPartOnly_andAnOldOneConflicts() {
        GenericKubernetesResource before = scene.version().get();
        UpgradeScene.patch(
                scene.version(), "{\"spec\":{\"channel\":\"fast-4.20\"},\"status\":{\"versionHash\":\"x\"}}");
        GenericKubernetesResource after = scene.version().get();
        assertThat(after.getMetadata().getGeneration())
                .isEqualTo(before.getMetadata().getGeneration() + 1);
        assertThat(Fields.string(after, "status", "versionHash"))
                .isEqualTo(Fields.string(before, "status", "versionHash"));

        assertThatThrownBy(() -> scene.client.resource(before).update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
        assertThatThrownBy(() -> scene.request("{\"architecture\":\"Multi\",\"image\":\"a\"}"))
                .hasMessageContaining("cannot set both Architecture and Image");
        assertThatThrownBy(() -> scene.request("{\"architecture\":\"Multi\"}"))
                .hasMessageContaining("Version must be set");
    }

    @Test
    void atRest_nothingIsWritten() throws Exception {
        scene.request("4.20.5", "");
        within(() -> scene.history(0).equals("Completed 4.20.5"));
        within(() -> scene.pool("worker", "Updated").equals("True"));
        UpgradeScene.patch(scene.version(), UpgradeScene.CHANNEL);
        within(() -> condition("RetrievedUpdates", "status").equals("True"));
        String before = scene.client.nodes().list().getMetadata().getResourceVersion();

        scene.annotate(scene.version(), "note", "\"a\"");
        // What the operators react to comes later, twice: when they do so again, their first run has ended.
        for (String graph : List.of("\"unreachable\"", "null")) {
            scene.annotate(scene.version(), "upstream", graph);
            within(() -> condition("RetrievedUpdates", "status").equals(graph.equals("null") ? "True" : "False"));
        }

        assertThat(Long.parseLong(scene.client.nodes().list().getMetadata().getResourceVersion()))
                .as("the annotations, and the operators' answers to the later two, are the only writes")
                .isEqualTo(Long.parseLong(before) + 5);
    }

    private String condition(String type, String field) {
        return scene.condition(type, field);
    }

    private List<String> offered() {
        return Fields.list(scene.version().get(), "status", "availableUpdates").stream()
                .map(update -> Fields.text(update, "version"))
                .toList();
    }

    /** Requests that fail with a broken connection while the cluster is updated. */
    private long brokenRequestsDuring(String version) throws Exception {
        WorkloadApi api = scene.cluster.api();
        AtomicLong broken = new AtomicLong();
        scene.request(version, "");
        within(() -> {
            try {
                api.send("GET", "/version", Map.of());
            } catch (IOException e) {
                broken.incrementAndGet();
            }
            return isCompleted(version);
        });
        return broken.get();
    }

    /** Reads the store, because the API is not always reachable. */
    private boolean isCompleted(String version) {
        Map<String, Object> object =
                Objects.requireNonNull(scene.cluster.store().get(Resource.CLUSTER_VERSIONS.path(), "version"));
        return Fields.any(object, "status", "history") instanceof List<?> history
                && Fields.text(history.getFirst(), "version").equals(version)
                && Fields.text(history.getFirst(), "state").equals("Completed");
    }

    private static List<String> seenIn(GenericKubernetesResource version) {
        String accepted = "ReleaseAccepted %s %s %s"
                .formatted(
                        UpgradeScene.condition(version, "ReleaseAccepted", "status"),
                        UpgradeScene.condition(version, "ReleaseAccepted", "reason"),
                        Fields.string(version, "status", "desired", "version"));
        Integer observed = Fields.integer(version, "status", "observedGeneration");
        boolean behind = observed != null && observed < version.getMetadata().getGeneration();
        String message = UpgradeScene.condition(version, "Progressing", "message");
        String progressing = "Progressing "
                + (UpgradeScene.condition(version, "Progressing", "status").equals("True")
                        ? "True" + message.substring(message.indexOf(", waiting on "))
                        : "False: " + message);
        return behind ? List.of("observed behind") : List.of(accepted, progressing);
    }

    private static String unreadyMasters(Node node) {
        return UpgradeScene.isReady(node) ? "" : node.getMetadata().getName();
    }

    private static <T extends HasMetadata> Watcher<T> on(Consumer<T> change) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                change.accept(object);
            }

            @Override
            public void onClose(WatcherException cause) {
                throw new IllegalStateException("the watch cannot be resumed", cause);
            }
        };
    }
}
