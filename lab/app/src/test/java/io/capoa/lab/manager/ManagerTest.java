package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.LocalCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("lease of the sample provider")
class ManagerTest {

    private static final String USER = "sample-manager";
    private static final String NAMESPACE = "default";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LocalCluster cluster = LocalCluster.builder().users(USER).start();
    private final KubernetesClient admin = cluster.admin();

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    void grant() {
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(USER)
                        .endMetadata()
                        .withRules(
                                new PolicyRuleBuilder()
                                        .withApiGroups("")
                                        .withResources("configmaps")
                                        .withVerbs("list", "watch", "patch")
                                        .build(),
                                new PolicyRuleBuilder()
                                        .withApiGroups("coordination.k8s.io")
                                        .withResources("leases")
                                        // The election renews by patch, but requires update to start.
                                        .withVerbs("get", "create", "update", "patch")
                                        .build())
                        .build())
                .create();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private void bind() {
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(USER)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", USER)
                        .withSubjects(cluster.subject(USER))
                        .build())
                .serverSideApply();
    }

    private ManagerChild start(String... arguments) throws Exception {
        return ManagerChild.start(folder, cluster.kubeconfigOf(USER), arguments);
    }

    private void create(String name, int delayMillis, Map<String, String> labels) {
        admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(NAMESPACE)
                        .withLabels(labels)
                        .endMetadata()
                        .withData(Map.of("delay", Integer.toString(delayMillis)))
                        .build())
                .create();
    }

    private boolean seen(String name) {
        return admin.configMaps()
                .inNamespace(NAMESPACE)
                .withName(name)
                .get()
                .getData()
                .containsKey("seen");
    }

    private static void awaitReady(ManagerChild manager) {
        await().atMost(PATIENCE).until(manager::isReady);
    }

    @Test
    void whileConnectionsAreHalfOpen_probesAnswer_andFewFilesAreOpen() throws Exception {
        bind();
        var sockets = new ArrayList<Socket>();
        try (var manager = start()) {
            await().atMost(PATIENCE).until(manager::isReady);
            long before = manager.openFiles();
            for (int i = 0; i < 1_500; i++) {
                int port = i % 2 == 0 ? manager.healthPort() : manager.metricsPort();
                var socket = new Socket();
                sockets.add(socket);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5_000);
                if (i % 3 == 0) {
                    socket.getOutputStream().write("GET /he".getBytes(StandardCharsets.US_ASCII));
                }
                if (i % 100 == 99) {
                    long begin = System.nanoTime();
                    assertThat(manager.probe("/healthz").status()).isEqualTo(200);
                    assertThat(manager.probe("/readyz").status()).isEqualTo(200);
                    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
                    assertThat(manager.openFiles()).isLessThan(before + 120);
                }
            }
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void readyz_turnsTrueOnlyWhenTheCachesAreInSync() throws Exception {
        admin.rbac().clusterRoleBindings().withName(USER).delete();
        try (var manager = start()) {
            await().atMost(PATIENCE).until(() -> manager.log().contains("\"message\":\"capoa-sample/dev started"));

            assertThat(manager.probe("/healthz").status()).isEqualTo(200);
            assertThat(manager.probe("/readyz").status()).isEqualTo(503);
            assertThat(manager.probe("/readyz").body()).contains("caches: not in sync: marker/");

            bind();
            awaitReady(manager);
            assertThat(manager.probe("/readyz").body()).isEqualTo("ok\n");
        }
    }

    @Test
    void onSigterm_aRunningReconcileIsFinishedAndTheExitCodeIsZero() throws Exception {
        bind();
        create("finished-on-stop", 3000, Map.of());
        try (var manager = start()) {
            await().atMost(PATIENCE).until(() -> manager.log().contains("\"message\":\"Begin\""));

            manager.terminate();

            assertThat(manager.exitCode(15)).isZero();
            assertThat(seen("finished-on-stop")).isTrue();
            assertThat(manager.log())
                    .containsPattern("\"message\":\"Begin\",\"controller\":\"marker\",\"namespace\":\"default\","
                            + "\"name\":\"finished-on-stop\",\"kind\":\"ConfigMap\",\"reconcileID\":\"[0-9a-f]{8}\"");
        }
    }

    @Test
    void onSigtermWhileStarting_theExitCodeIsZero_andNothingLooksLikeAFailure() throws Exception {
        admin.rbac().clusterRoleBindings().withName(USER).delete();
        try (var manager = start()) {
            // It waits for its caches, because rights are missing.
            await().atMost(PATIENCE)
                    .until(() -> manager.log().contains("ConfigMap")
                            || manager.log().contains("starting")
                            || manager.probe("/readyz").body().contains("manager: starting"));
            Thread.sleep(2_000);
            assertThat(manager.log()).doesNotContain("capoa-sample/dev started");

            manager.terminate();

            assertThat(manager.exitCode(20)).isZero();
            assertThat(manager.log())
                    .contains("\"message\":\"Stopping\"")
                    .doesNotContain("cannot start", "rejected from", "\"level\":\"error\"");
        } finally {
            bind();
        }
    }

    @Test
    void theStandby_isReadyAndTakesOverAtOnceWhenTheLeaderStops() throws Exception {
        bind();
        try (var leader = start("--leader-elect", "--leader-elect-retry-period=500ms")) {
            await().atMost(PATIENCE)
                    .until(() -> leader.metrics().contains("{name=\"" + SampleProvider.LEASE + "\"} 1.0"));
            try (var standby = start("--leader-elect", "--leader-elect-retry-period=500ms")) {
                awaitReady(standby);
                assertThat(standby.metrics()).contains("{name=\"" + SampleProvider.LEASE + "\"} 0.0");

                leader.terminate();
                assertThat(leader.exitCode(15)).isZero();
                create("after-hand-over", 0, Map.of());

                // A Lease that is not released would block for its 15 s.
                await().atMost(Duration.ofSeconds(8)).until(() -> seen("after-hand-over"));
            }
        }
    }

    @Test
    void aLeaderThatLosesItsLease_endsAtOnceWithOne() throws Exception {
        bind();
        try (var leader = start(
                "--leader-elect",
                "--leader-elect-lease-duration=4s",
                "--leader-elect-renew-deadline=2s",
                "--leader-elect-retry-period=500ms")) {
            await().atMost(PATIENCE)
                    .until(() -> leader.metrics().contains("{name=\"" + SampleProvider.LEASE + "\"} 1.0"));

            // No precondition, because the leader renews concurrently.
            var stolen = admin.leases()
                    .inNamespace(NAMESPACE)
                    .withName(SampleProvider.LEASE)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"holderIdentity\":\"other-holder\"}}");
            assertThat(stolen.getSpec().getHolderIdentity()).isEqualTo("other-holder");

            assertThat(leader.exitCode(15)).isEqualTo(1);
            assertThat(leader.log()).contains("Lost lease default/" + SampleProvider.LEASE);
        } finally {
            admin.leases().inNamespace(NAMESPACE).withName(SampleProvider.LEASE).delete();
        }
    }

    @Test
    void withAWatchFilter_onlyLabelledObjectsAreReconciled() throws Exception {
        bind();
        create("unlabelled", 0, Map.of());
        try (var manager = start("--watch-filter=blue", "--namespace=" + NAMESPACE)) {
            awaitReady(manager);
            create("labelled", 0, Map.of("cluster.x-k8s.io/watch-filter", "blue"));

            await().atMost(PATIENCE).until(() -> seen("labelled"));
            assertThat(seen("unlabelled")).isFalse();
            assertThat(manager.metrics())
                    .contains("rest_client_requests_total{code=\"200\",resource=\"configmaps\",verb=\"patch\"} 1.0");
        }
    }

    @Test
    void whenTheSetUpFails_theExitCodeIsOneAndNothingHangs() throws Exception {
        try (var manager = ManagerChild.start(folder, cluster.kubeconfigOf(USER), "broken")) {
            assertThat(manager.exitCode(30)).isEqualTo(1);
            assertThat(manager.log()).contains("capoa-sample cannot start: the set-up is broken");
        }
    }

    @Test
    void whenTheKubeconfigIsMissing_theExitCodeIsOneAndTheFileIsNamed() throws Exception {
        try (var manager = ManagerChild.start(folder, folder.resolve("absent"))) {
            assertThat(manager.exitCode(30)).isEqualTo(1);
            assertThat(manager.log()).contains("--kubeconfig names").contains("absent, which cannot be read");
        }
    }

    @Test
    void whenAPortIsBusy_theExitCodeIsOneAndTheFlagIsNamed() throws Exception {
        bind();
        try (var first = start()) {
            awaitReady(first);
            try (var second = ManagerChild.start(folder, cluster.kubeconfigOf(USER), first.metricsPort())) {
                assertThat(second.exitCode(30)).isEqualTo(1);
                assertThat(second.log())
                        .contains("Cannot listen on 127.0.0.1:" + first.metricsPort() + " (--metrics-bind-address)");
            }
        }
    }
}
