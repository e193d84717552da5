package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.ExistingCluster;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A manager process with one reconciler, the sample provider. Every test has an identity and a namespace of its own. */
@Tag("full")
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class ManagerTest {

    private static final String USER = "sample-manager";
    private static final String LEADS = "{name=\"" + SampleProvider.LEASE + "\"} 1.0";

    /** Of the tests with leader election, which measure time: one after the other. */
    private static final String ELECTIONS = "elections of the sample provider";

    private static final Duration LEASE_DURATION = Duration.ofSeconds(8);
    private static final Duration RETRY_PERIOD = Duration.ofMillis(500);
    private static final String[] QUICK = {
        "--leader-elect",
        "--leader-elect-lease-duration=8s",
        "--leader-elect-renew-deadline=6s",
        "--leader-elect-retry-period=500ms"
    };

    /** The shared cluster with users of this test. */
    private final TestCluster cluster;

    private final KubernetesClient admin;
    private final String namespace;

    @TempDir
    Path folder = Path.of("");

    ManagerTest(TestCluster shared) {
        cluster = ExistingCluster.of(shared.adminKubeconfig(), shared.auditLog());
        admin = cluster.admin();
        namespace = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("manager-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterEach
    void stop() {
        admin.namespaces().withName(namespace).delete();
        cluster.close();
    }

    /** Grants what a leader needs. */
    private void grant() {
        grantCaches();
        grant("leases", "coordination.k8s.io", "get", "create", "update");
    }

    private void grantCaches() {
        grant("configmaps", "", "list", "watch", "patch");
    }

    private void grant(String resource, String group, String... verbs) {
        admin.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(resource)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups(group)
                        .withResources(resource)
                        .withVerbs(verbs)
                        .endRule()
                        .build())
                .serverSideApply();
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(resource)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", resource)
                        .withSubjects(cluster.subject(USER))
                        .build())
                .serverSideApply();
    }

    private ManagerChild start(String... arguments) throws Exception {
        return ManagerChild.start(folder, cluster.kubeconfigOf(USER), inNamespace(arguments));
    }

    private String[] inNamespace(String... arguments) {
        return Stream.concat(
                        Stream.of(arguments),
                        Stream.of("--namespace=" + namespace, "--leader-elect-namespace=" + namespace))
                .toArray(String[]::new);
    }

    private void create(String name, int delayMillis, Map<String, String> labels) {
        admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .withLabels(labels)
                        .endMetadata()
                        .withData(Map.of("delay", Integer.toString(delayMillis)))
                        .build())
                .create();
    }

    private boolean seen(String name) {
        return admin.configMaps()
                .inNamespace(namespace)
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
        grant();
        var sockets = new ArrayList<Socket>();
        try (var manager = start()) {
            await().atMost(PATIENCE).until(manager::isReady);
            long before = manager.openFiles();
            var answered = new ArrayList<Duration>();
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
                    answered.add(Duration.ofNanos(System.nanoTime() - begin));
                    assertThat(manager.openFiles()).isLessThan(before + 120);
                }
            }
            // A second each, as the kubelet demands; a busy machine may delay any one of them.
            assertThat(answered.stream().sorted().toList().get(answered.size() / 2))
                    .isLessThan(Duration.ofSeconds(2));
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void requestsAndWatches_shareOneConnection_andTheLeaseHasItsOwn() throws Exception {
        grant();
        create("watched", 0, Map.of());
        int api = URI.create(admin.getMasterUrl().toString()).getPort();
        try (var manager = start("--leader-elect")) {
            awaitLeading(manager);
            await().atMost(PATIENCE).until(() -> seen("watched"));

            await().atMost(PATIENCE).until(() -> manager.connections(api) == 2);
        }
    }

    @Test
    void readyz_turnsTrueOnlyWhenTheCachesAreInSync() throws Exception {
        try (var manager = start()) {
            await().atMost(PATIENCE).until(() -> manager.log().contains("\"message\":\"capoa-sample/dev started"));

            assertThat(manager.probe("/healthz").status()).isEqualTo(200);
            assertThat(manager.probe("/readyz").status()).isEqualTo(503);
            assertThat(manager.probe("/readyz").body()).contains("caches: not in sync: marker/");

            grant();
            awaitReady(manager);
            assertThat(manager.probe("/readyz").body()).isEqualTo("ok\n");
        }
    }

    @Test
    void onSigterm_aRunningReconcileIsFinishedAndTheExitCodeIsZero() throws Exception {
        grant();
        create("finished-on-stop", 3000, Map.of());
        try (var manager = start()) {
            await().atMost(PATIENCE).until(() -> manager.log().contains("\"message\":\"Begin\""));

            manager.terminate();

            assertThat(manager.exitCode(15)).isZero();
            assertThat(seen("finished-on-stop")).isTrue();
            assertThat(manager.log())
                    .containsPattern(
                            "\"message\":\"Begin\",\"controller\":\"marker\",\"namespace\":\"" + namespace + "\","
                                    + "\"name\":\"finished-on-stop\",\"kind\":\"ConfigMap\",\"reconcileID\":\"[0-9a-f]{8}\"");
        }
    }

    @Test
    void onSigtermWhileStarting_theExitCodeIsZero_andNothingLooksLikeAFailure() throws Exception {
        var begin = mark();
        try (var manager = start()) {
            awaitWaitingForCaches(begin);
            assertThat(manager.log()).doesNotContain("capoa-sample/dev started");

            manager.terminate();

            assertThat(manager.exitCode(20)).isZero();
            assertThat(manager.log())
                    .contains("\"message\":\"Stopping\"")
                    .doesNotContain("cannot start", "rejected from", "\"level\":\"error\"");
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void theStandby_isReadyAndTakesOverAtOnceWhenTheLeaderStops() throws Exception {
        grant();
        // A Lease that is not released would block for longer than the test waits.
        String[] patient = {
            "--leader-elect",
            "--leader-elect-lease-duration=120s",
            "--leader-elect-renew-deadline=100s",
            "--leader-elect-retry-period=500ms"
        };
        try (var leader = start(patient)) {
            awaitLeading(leader);
            try (var standby = start(patient)) {
                awaitReady(standby);
                assertThat(standby.metrics()).contains("{name=\"" + SampleProvider.LEASE + "\"} 0.0");

                leader.terminate();
                assertThat(leader.exitCode(15)).isZero();
                create("after-hand-over", 0, Map.of());

                await().atMost(PATIENCE).until(() -> seen("after-hand-over"));
            }
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void aLeaderThatLosesItsLease_endsAtOnceWithOne_andSaysSoInItsPodAndOnTheLease() throws Exception {
        grant();
        grant("events", "events.k8s.io", "create");
        try (var leader = start(QUICK)) {
            awaitLeading(leader);

            // No precondition, because the leader renews concurrently.
            var stolen = patchLease("{\"spec\":{\"holderIdentity\":\"other-holder\"}}");
            assertThat(stolen.getSpec().getHolderIdentity()).isEqualTo("other-holder");

            assertThat(leader.exitCode(15)).isEqualTo(1);
            var reason = "Lost lease " + namespace + "/" + SampleProvider.LEASE
                    + ": other-holder holds it; another replica may lead already";
            assertThat(leader.log()).contains(reason);
            assertThat(leader.terminationMessage()).isEqualTo(reason + "\n");
            assertThat(admin.v1().events().inNamespace(namespace).list().getItems())
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.getReason()).isEqualTo("LeaderElection");
                        assertThat(event.getMessage()).startsWith(reason).endsWith(" ends");
                        assertThat(event.getInvolvedObject().getName()).isEqualTo(SampleProvider.LEASE);
                        assertThat(event.getInvolvedObject().getUid())
                                .isEqualTo(stolen.getMetadata().getUid());
                    });
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void aLeader_sendsOneRequestForEachRenewal_andReleasesWithOne() throws Exception {
        grant();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);
            long begin = System.nanoTime();
            var leading = mark();
            await().atMost(PATIENCE).until(() -> leaseRequests(leading).size() >= 5);
            assertThat(leaseRequests(leading))
                    .containsOnly("update 200")
                    .hasSizeLessThanOrEqualTo(1
                            + (int) Duration.ofNanos(System.nanoTime() - begin).dividedBy(RETRY_PERIOD));

            leader.terminate();
            assertThat(leader.exitCode(15)).isZero();
            assertThat(leaseRequests(leading)).containsOnly("update 200");
            assertThat(lease().getSpec().getHolderIdentity()).isEmpty();
            assertThat(lease().getSpec().getLeaseDurationSeconds()).isEqualTo(1);
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void aLabelOfAnother_survivesRenewals_andADeletedLeaseIsCreatedAgain() throws Exception {
        grant();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);
            var labelled = patchLease("{\"metadata\":{\"labels\":{\"team\":\"blue\"}}}");

            awaitRenewals(labelled);
            assertThat(lease().getMetadata().getLabels()).containsEntry("team", "blue");

            deleteLease();
            await().atMost(PATIENCE).until(() -> lease() != null);
            assertThat(lease().getSpec().getHolderIdentity())
                    .isEqualTo(labelled.getSpec().getHolderIdentity());
            awaitRenewals(lease());
            assertThat(leader.isRunning()).isTrue();
            assertThat(leader.metrics()).contains(LEADS);
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void whenTheLeaderIsKilled_theStandbyTakesOver_afterTheLeaseHasEnded() throws Exception {
        grant();
        try (var leader = start(QUICK)) {
            awaitLeading(leader);
            try (var standby = start(QUICK)) {
                awaitReady(standby);
                await().atMost(PATIENCE).until(() -> standby.log().contains("\"message\":\"Standby: "));
                leader.kill();
                assertThat(leader.exitCode(15)).isNotZero();
                var left = lease().getSpec();
                create("after-kill", 0, Map.of());

                await().atMost(PATIENCE).until(() -> seen("after-kill"));

                var taken = lease().getSpec();
                assertThat(taken.getLeaseTransitions()).isEqualTo(left.getLeaseTransitions() + 1);
                assertThat(Duration.between(left.getRenewTime(), taken.getAcquireTime()))
                        .isGreaterThan(LEASE_DURATION);
            }
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void aMissingRightOnTheLease_isNamed_andUsedWhenItIsThere() throws Exception {
        grantCaches();
        var begin = mark();
        try (var manager = start(QUICK)) {
            await().atMost(PATIENCE)
                    .until(() -> manager.probe("/readyz")
                            .body()
                            .contains("leader election: This replica cannot lead, because it may not get"
                                    + " leases.coordination.k8s.io " + SampleProvider.LEASE
                                    + " in namespace " + namespace + ": "));
            int refusals = leaseRequests(begin).size();
            await().atMost(PATIENCE).until(() -> leaseRequests(begin).size() >= refusals + 3);
            assertThat(manager.log()).containsOnlyOnce("This replica cannot lead");

            grant();
            awaitLeading(manager);
            awaitReady(manager);
        }
    }

    @Test
    @ResourceLock(ELECTIONS)
    void onSigtermWhileStartingWithLeaderElection_theExitCodeIsZero_andNothingLooksLikeAFailure() throws Exception {
        var begin = mark();
        try (var manager = start(QUICK)) {
            await().atMost(PATIENCE).until(() -> manager.probe("/readyz").body().contains("manager: starting"));
            awaitWaitingForCaches(begin);

            manager.terminate();

            assertThat(manager.exitCode(20)).isZero();
            assertThat(manager.log())
                    .contains("\"message\":\"Stopping\"")
                    .doesNotContain("cannot start", "rejected from", "\"level\":\"error\"");
            assertThat(leaseRequests(begin)).isEmpty();
        }
    }

    /** Waits until the manager has been refused the objects of its cache, for want of rights. */
    private void awaitWaitingForCaches(AuditLog.Mark begin) {
        await().atMost(PATIENCE).until(() -> requests("configmaps", begin).contains("list 403"));
    }

    /** Waits for two more renewals at least. */
    private void awaitRenewals(Lease known) {
        await().atMost(PATIENCE)
                .until(() -> lease().getSpec()
                        .getRenewTime()
                        .isAfter(known.getSpec().getRenewTime().plusSeconds(1)));
    }

    private void awaitLeading(ManagerChild manager) {
        await().atMost(PATIENCE).until(() -> manager.metrics().contains(LEADS));
    }

    private Lease lease() {
        return admin.leases()
                .inNamespace(namespace)
                .withName(SampleProvider.LEASE)
                .get();
    }

    private Lease patchLease(String patch) {
        return admin.leases()
                .inNamespace(namespace)
                .withName(SampleProvider.LEASE)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private void deleteLease() {
        var unused = admin.leases()
                .inNamespace(namespace)
                .withName(SampleProvider.LEASE)
                .delete();
    }

    private AuditLog.Mark mark() {
        return cluster.auditLog().orElseThrow().mark();
    }

    private List<String> leaseRequests(AuditLog.Mark mark) {
        return requests("leases", mark);
    }

    /** Verb and status of the manager's requests for a resource. */
    private List<String> requests(String resource, AuditLog.Mark mark) {
        return cluster.auditLog().orElseThrow().since(mark).stream()
                .filter(entry -> entry.user().equals(cluster.userName(USER))
                        && entry.resource().equals(resource))
                .map(entry -> entry.verb() + " " + entry.code())
                .toList();
    }

    @Test
    void withAWatchFilter_onlyLabelledObjectsAreReconciled() throws Exception {
        grant();
        create("unlabelled", 0, Map.of());
        try (var manager = start("--watch-filter=blue")) {
            awaitReady(manager);
            create("labelled", 0, Map.of("cluster.x-k8s.io/watch-filter", "blue"));

            await().atMost(PATIENCE).until(() -> seen("labelled"));
            assertThat(seen("unlabelled")).isFalse();
            // A request is counted when it is answered, which is later than its effect.
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(manager.metrics())
                                    .contains(
                                            "rest_client_requests_total{code=\"200\",resource=\"configmaps\",verb=\"patch\"} 1.0"));
        }
    }

    /** Of the Cluster API operator, which appends them to those of the Deployment. */
    @Test
    void withArgumentsOfOtherTools_itStarts_andNamesThoseWithoutEffect() throws Exception {
        grant();
        try (var manager = start(
                "--max-concurrent-reconciles=50",
                "--openshiftassistedconfig-concurrency=7",
                "--metrics-bind-addr=localhost:8080",
                "--profiler-address=localhost:6060",
                "--kube-api-qps=20",
                "--insecure-diagnostics=true",
                "--webhook-host=127.0.0.1",
                "--webhook-port=0",
                "--v=5")) {
            awaitReady(manager);
            assertThat(manager.log())
                    .contains("--profiler-address has no effect in this manager: remove it")
                    .contains("--kube-api-qps has no effect")
                    .doesNotContain("--insecure-diagnostics");
        }
    }

    @Test
    void whenTheSetUpFails_theExitCodeIsOneAndNothingHangs() throws Exception {
        try (var manager = ManagerChild.start(folder, cluster.kubeconfigOf(USER), "broken")) {
            assertThat(manager.exitCode()).isEqualTo(1);
            assertThat(manager.log()).contains("capoa-sample cannot start: the set-up is broken");
            assertThat(manager.terminationMessage()).isEqualTo("capoa-sample cannot start: the set-up is broken\n");
        }
    }

    @Test
    void whenTheKubeconfigIsMissing_theExitCodeIsOneAndTheFileIsNamed() throws Exception {
        try (var manager = ManagerChild.start(folder, folder.resolve("absent"))) {
            assertThat(manager.exitCode()).isEqualTo(1);
            assertThat(manager.log()).contains("--kubeconfig names").contains("absent, which cannot be read");
        }
    }

    @Test
    void whenAPortIsBusy_theExitCodeIsOneAndTheFlagIsNamed() throws Exception {
        grant();
        try (var first = start()) {
            awaitReady(first);
            try (var second =
                    ManagerChild.start(folder, cluster.kubeconfigOf(USER), first.metricsPort(), inNamespace())) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.log())
                        .contains("Cannot listen on 127.0.0.1:" + first.metricsPort() + " (--metrics-bind-address)");
            }
        }
    }
}
