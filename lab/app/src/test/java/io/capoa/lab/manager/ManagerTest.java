package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.LocalCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("full")
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("lease of the sample provider")
class ManagerTest {

    private static final String USER = "sample-manager";
    private static final String NAMESPACE = "default";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CACHES_ONLY = USER + "-caches";
    private static final String LEADS = "{name=\"" + SampleProvider.LEASE + "\"} 1.0";
    private static final String[] QUICK = {
        "--leader-elect",
        "--leader-elect-lease-duration=4s",
        "--leader-elect-renew-deadline=2s",
        "--leader-elect-retry-period=500ms"
    };

    private final LocalCluster cluster = LocalCluster.builder().users(USER).start();
    private final KubernetesClient admin = cluster.admin();

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    void grant() {
        var caches = new PolicyRuleBuilder()
                .withApiGroups("")
                .withResources("configmaps")
                .withVerbs("list", "watch", "patch")
                .build();
        var leases = new PolicyRuleBuilder()
                .withApiGroups("coordination.k8s.io")
                .withResources("leases")
                .withVerbs("get", "create", "update")
                .build();
        role(USER, caches, leases);
        role(CACHES_ONLY, caches);
    }

    private void role(String name, PolicyRule... rules) {
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withRules(rules)
                        .build())
                .create();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private void bind() {
        bind(USER);
    }

    private void bind(String role) {
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
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
    void requestsAndWatches_shareOneConnection() throws Exception {
        bind();
        create("watched", 0, Map.of());
        int api = URI.create(admin.getMasterUrl().toString()).getPort();
        try (var manager = start("--leader-elect", "--leader-elect-namespace=" + NAMESPACE)) {
            awaitLeading(manager);
            await().atMost(PATIENCE).until(() -> seen("watched"));

            await().atMost(PATIENCE).until(() -> manager.connections(api) == 1);
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
            awaitLeading(leader);
            try (var standby = start("--leader-elect", "--leader-elect-retry-period=500ms")) {
                awaitReady(standby);
                assertThat(standby.metrics()).contains("{name=\"" + SampleProvider.LEASE + "\"} 0.0");

                leader.terminate();
                assertThat(leader.exitCode(15)).isZero();
                create("after-hand-over", 0, Map.of());

                // A Lease that is not released would block for its 15 s.
                await().atMost(Duration.ofSeconds(8)).until(() -> seen("after-hand-over"));
            }
        } finally {
            deleteLease();
        }
    }

    @Test
    void aLeaderThatLosesItsLease_endsAtOnceWithOne() throws Exception {
        bind();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);

            // No precondition, because the leader renews concurrently.
            var stolen = patchLease("{\"spec\":{\"holderIdentity\":\"other-holder\"}}");
            assertThat(stolen.getSpec().getHolderIdentity()).isEqualTo("other-holder");

            assertThat(leader.exitCode(15)).isEqualTo(1);
            assertThat(leader.log()).contains("Lost lease default/" + SampleProvider.LEASE + ": other-holder holds it");
        } finally {
            deleteLease();
        }
    }

    @Test
    void aLeader_sendsOneRequestForEachRenewal_andReleasesWithOne() throws Exception {
        bind();
        var audit = cluster.auditLog().orElseThrow();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);
            var leading = audit.mark();
            Thread.sleep(5_000);

            assertThat(leaseRequests(leading)).containsOnly("update 200").hasSizeBetween(5, 11);

            leader.terminate();
            assertThat(leader.exitCode(15)).isZero();
            assertThat(leaseRequests(leading)).containsOnly("update 200");
            assertThat(lease().getSpec().getHolderIdentity()).isEmpty();
            assertThat(lease().getSpec().getLeaseDurationSeconds()).isEqualTo(1);
        } finally {
            deleteLease();
        }
    }

    @Test
    void aLabelOfAnother_survivesRenewals_andADeletedLeaseIsCreatedAgain() throws Exception {
        bind();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);
            var labelled = patchLease("{\"metadata\":{\"labels\":{\"team\":\"blue\"}}}");

            await().atMost(PATIENCE)
                    .until(() -> lease().getSpec()
                            .getRenewTime()
                            .isAfter(labelled.getSpec().getRenewTime().plusSeconds(1)));
            assertThat(lease().getMetadata().getLabels()).containsEntry("team", "blue");

            deleteLease();
            await().atMost(PATIENCE).until(() -> lease() != null);
            assertThat(lease().getSpec().getHolderIdentity())
                    .isEqualTo(labelled.getSpec().getHolderIdentity());
            Thread.sleep(3_000);
            assertThat(leader.isRunning()).isTrue();
            assertThat(leader.metrics()).contains(LEADS);
        } finally {
            deleteLease();
        }
    }

    @Test
    void whenTheLeaderIsKilled_theStandbyTakesOver_afterTheLeaseHasEnded() throws Exception {
        bind();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);
            try (var standby = start(QUICK)) {
                awaitReady(standby);
                await().atMost(PATIENCE).until(() -> standby.log().contains("\"message\":\"Standby: "));
                leader.kill();
                assertThat(leader.exitCode(15)).isNotZero();
                var left = lease().getSpec();
                create("after-kill", 0, Map.of());

                await().atMost(Duration.ofSeconds(15)).until(() -> seen("after-kill"));

                var taken = lease().getSpec();
                assertThat(taken.getLeaseTransitions()).isEqualTo(left.getLeaseTransitions() + 1);
                assertThat(Duration.between(left.getRenewTime(), taken.getAcquireTime()))
                        .isGreaterThan(Duration.ofSeconds(4));
            }
        } finally {
            deleteLease();
        }
    }

    @Test
    void aMissingRightOnTheLease_isNamed_andUsedWhenItIsThere() throws Exception {
        admin.rbac().clusterRoleBindings().withName(USER).delete();
        bind(CACHES_ONLY);
        try (var manager = start(QUICK)) {
            await().atMost(PATIENCE)
                    .until(() -> manager.probe("/readyz")
                            .body()
                            .contains("leader election: This replica cannot lead, because it may not get"
                                    + " leases.coordination.k8s.io " + SampleProvider.LEASE
                                    + " in namespace default: "));
            Thread.sleep(2_000);
            assertThat(manager.log()).containsOnlyOnce("This replica cannot lead");

            bind();
            awaitLeading(manager);
            awaitReady(manager);
        } finally {
            admin.rbac().clusterRoleBindings().withName(CACHES_ONLY).delete();
            deleteLease();
        }
    }

    @Test
    void onSigtermWhileStartingWithLeaderElection_theExitCodeIsZero_andNothingLooksLikeAFailure() throws Exception {
        admin.rbac().clusterRoleBindings().withName(USER).delete();
        var audit = cluster.auditLog().orElseThrow();
        var begin = audit.mark();
        try (var manager = start(QUICK)) {
            await().atMost(PATIENCE).until(() -> manager.probe("/readyz").body().contains("manager: starting"));
            Thread.sleep(2_000);

            manager.terminate();

            assertThat(manager.exitCode(20)).isZero();
            assertThat(manager.log())
                    .contains("\"message\":\"Stopping\"")
                    .doesNotContain("cannot start", "rejected from", "\"level\":\"error\"");
            assertThat(leaseRequests(begin)).isEmpty();
        } finally {
            bind();
        }
    }

    private void awaitLeading(ManagerChild manager) {
        await().atMost(PATIENCE).until(() -> manager.metrics().contains(LEADS));
    }

    private Lease lease() {
        return admin.leases()
                .inNamespace(NAMESPACE)
                .withName(SampleProvider.LEASE)
                .get();
    }

    private Lease patchLease(String patch) {
        return admin.leases()
                .inNamespace(NAMESPACE)
                .withName(SampleProvider.LEASE)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private void deleteLease() {
        admin.leases().inNamespace(NAMESPACE).withName(SampleProvider.LEASE).delete();
    }

    /** Verb and status of the manager's requests for Leases. */
    private List<String> leaseRequests(AuditLog.Mark mark) {
        return cluster.auditLog().orElseThrow().since(mark).stream()
                .filter(entry -> entry.user().equals(cluster.userName(USER))
                        && entry.resource().equals("leases"))
                .map(entry -> entry.verb() + " " + entry.code())
                .toList();
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
