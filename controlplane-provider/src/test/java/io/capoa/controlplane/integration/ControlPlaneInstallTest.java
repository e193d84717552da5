package io.capoa.controlplane.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.WriteEffects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A control plane from its creation to Available, and its deletion. */
@ExtendWith(SharedCluster.class)
class ControlPlaneInstallTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofSeconds(2);

    @Test
    void fromCreationToAvailable_inAtMost24Writes_andThenNone(TestCluster cluster) throws InterruptedException {
        AuditLog audit = cluster.auditLog().orElseThrow();
        AuditLog.Mark begin = audit.mark();
        ControlPlanePeers peers = new ControlPlanePeers(cluster);
        peers.pullSecret();
        peers.template();
        RunningControlPlane running = new RunningControlPlane(cluster, peers.namespace);
        try (running) {
            peers.controlPlane();
            within(() -> peers.install() != null
                    && peers.machines().size() == 3
                    && peers.machines().stream().allMatch(machine -> ConditionView.isTrue(machine, "UpToDate")));
            within(() -> Integer.valueOf(3).equals(status(peers).replicas()));
            assertThat(status(peers).version()).isEqualTo("v1.33.5");
            assertThat(Fields.map(peers.install(), "spec", "provisionRequirements"))
                    .isEqualTo(Map.of("controlPlaneAgents", 3));

            peers.installState("installing");
            peers.publishKubeconfig("first");
            within(() -> peers.kubeconfig() != null);
            assertThat(status(peers).initialization()).isNull();

            peers.installState("finalizing");
            within(() -> condition(peers, "Available").equals(Condition.TRUE));
            assertThat(status(peers).initialization()).isNotNull();

            peers.publishKubeconfig("second");
            peers.installState("adding-hosts");
            within(() -> "c2Vjb25k".equals(peers.kubeconfig().getData().get("value")));
            peers.machines().forEach(machine -> peers.status(machine, """
                {"status":{"nodeInfo":{"kubeletVersion":"v1.33.5","architecture":"","bootID":"","containerRuntimeVersion":"","kernelVersion":"","kubeProxyVersion":"","machineID":"","operatingSystem":"","osImage":"","systemUUID":""},
                 "conditions":[
                  {"type":"UpToDate","status":"True","reason":"UpToDate","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
                  {"type":"Ready","status":"True","reason":"Ready","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
                  {"type":"Available","status":"True","reason":"Available","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
                """));
            within(() -> condition(peers, "Ready").equals(Condition.TRUE));
            Thread.sleep(QUIET);

            List<AuditEntry> writes = writes(audit, begin);
            assertThat(writes)
                    .as("%s", writes.stream().map(ControlPlaneInstallTest::line).toList())
                    .hasSizeLessThanOrEqualTo(24);
            assertThat(writes).allMatch(AuditEntry::succeeded);
            assertThat(WriteEffects.without(audit.since(audit.start())).stream()
                            .filter(entry -> entry.namespace().equals(peers.namespace))
                            .filter(ControlPlaneInstallTest::isOurs))
                    .as("writes without effect")
                    .isEmpty();
            System.out.println("Writes of the control-plane provider for a cluster of three: " + writes.size());

            AuditLog.Mark restart = audit.mark();
            running.stopReconciling();
            long requests = running.registry.requests().count();
            RunningControlPlane again = new RunningControlPlane(cluster, Set.of(peers.namespace), running.registry);
            Thread.sleep(QUIET);
            again.stopReconciling();
            assertThat(writes(audit, restart)).as("writes after a restart").isEmpty();
            assertThat(running.registry.requests().count()).isEqualTo(requests);
        }
    }

    @Test
    void whatIsMissing_isNamedByACondition_andItsArrivalIsNoticed(TestCluster cluster) {
        ControlPlanePeers peers = new ControlPlanePeers(cluster);
        try (RunningControlPlane running = new RunningControlPlane(cluster, peers.namespace)) {
            assertThat(running.registry).isNotNull();
            peers.controlPlane();
            within(() -> message(peers, "Ready").contains("Secret pull-secret"));
            peers.pullSecret();
            within(() -> message(peers, "MachinesCreated").contains("Metal3MachineTemplate one-controlplane"));
            peers.template();
            within(() -> condition(peers, "MachinesCreated").equals(Condition.TRUE));
            assertThat(peers.machines()).hasSize(3);
        }
    }

    @Test
    void deletion_takesMachinesFirst_thenTheInstallation_andLeavesNothing(TestCluster cluster) {
        ControlPlanePeers peers = new ControlPlanePeers(cluster);
        peers.pullSecret();
        peers.template();
        try (RunningControlPlane running = new RunningControlPlane(cluster, peers.namespace)) {
            assertThat(running.registry).isNotNull();
            peers.controlPlane();
            within(() -> peers.install() != null && peers.machines().size() == 3);
            peers.machines()
                    .forEach(machine ->
                            peers.merge(machine, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}"));
            peers.client.resource(peers.current()).delete();
            within(() -> message(peers, "Deleting").contains("waiting for the deletion of Machine one-"));
            assertThat(peers.install().getMetadata().getDeletionTimestamp()).isNull();

            peers.machines().forEach(machine -> peers.merge(machine, "{\"metadata\":{\"finalizers\":null}}"));
            within(() -> peers.client
                            .resources(OpenshiftAssistedControlPlane.class)
                            .inNamespace(peers.namespace)
                            .withName(ControlPlanePeers.NAME)
                            .get()
                    == null);
            assertThat(peers.install()).isNull();
            assertThat(peers.client
                            .genericKubernetesResources("hive.openshift.io/v1", "ClusterImageSet")
                            .list()
                            .getItems())
                    .noneMatch(imageSet -> imageSet.getMetadata().getName().startsWith(peers.namespace));
        }
    }

    private static void within(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    private static OpenshiftAssistedControlPlaneStatus status(ControlPlanePeers peers) {
        return Optional.ofNullable(peers.current().getStatus())
                .orElse(new OpenshiftAssistedControlPlaneStatus(
                        null, null, 0, null, null, null, null, null, null, null, null, null, null));
    }

    private static String condition(ControlPlanePeers peers, String type) {
        return find(peers, type).map(Condition::status).orElse("");
    }

    private static String message(ControlPlanePeers peers, String type) {
        return find(peers, type).map(Condition::message).orElse("");
    }

    private static Optional<Condition> find(ControlPlanePeers peers, String type) {
        List<Condition> conditions = status(peers).conditions();
        Predicate<Condition> wanted = condition -> condition.type().equals(type);
        return conditions == null
                ? Optional.empty()
                : conditions.stream().filter(wanted).findFirst();
    }

    private static List<AuditEntry> writes(AuditLog audit, AuditLog.Mark since) {
        return audit.since(since, KnownUsers.CONTROL_PLANE_PROVIDER).stream()
                .filter(ControlPlaneInstallTest::isOurs)
                .filter(AuditEntry::isWrite)
                .toList();
    }

    private static boolean isOurs(AuditEntry entry) {
        return entry.user().contains(KnownUsers.CONTROL_PLANE_PROVIDER);
    }

    private static String line(AuditEntry entry) {
        return "%s %s/%s %s %d"
                .formatted(entry.verb(), entry.resource(), entry.subresource(), entry.name(), entry.code());
    }
}
