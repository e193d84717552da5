package io.capoa.lab.controlplane;

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
        Neighbours neighbours = new Neighbours(cluster);
        neighbours.pullSecret();
        neighbours.template();
        RunningControlPlane running = new RunningControlPlane(cluster, neighbours.namespace);
        try (running) {
            neighbours.controlPlane();
            within(() -> neighbours.install() != null
                    && neighbours.machines().size() == 3
                    && neighbours.machines().stream().allMatch(machine -> ConditionView.isTrue(machine, "UpToDate")));
            within(() -> Integer.valueOf(3).equals(status(neighbours).replicas()));
            assertThat(status(neighbours).version()).isEqualTo("v1.33.5");
            assertThat(Fields.map(neighbours.install(), "spec", "provisionRequirements"))
                    .isEqualTo(Map.of("controlPlaneAgents", 3));

            neighbours.installState("installing");
            neighbours.publishKubeconfig("first");
            within(() -> neighbours.kubeconfig() != null);
            assertThat(status(neighbours).initialization()).isNull();

            neighbours.installState("finalizing");
            within(() -> condition(neighbours, "Available").equals(Condition.TRUE));
            assertThat(status(neighbours).initialization()).isNotNull();

            neighbours.publishKubeconfig("second");
            neighbours.installState("adding-hosts");
            within(() -> "c2Vjb25k".equals(neighbours.kubeconfig().getData().get("value")));
            neighbours.machines().forEach(machine -> neighbours.status(machine, """
                            {"status":{"nodeInfo":{"kubeletVersion":"v1.33.5","architecture":"","bootID":"","containerRuntimeVersion":"","kernelVersion":"","kubeProxyVersion":"","machineID":"","operatingSystem":"","osImage":"","systemUUID":""},
                             "conditions":[
                              {"type":"UpToDate","status":"True","reason":"UpToDate","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
                              {"type":"Ready","status":"True","reason":"Ready","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
                              {"type":"Available","status":"True","reason":"Available","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}"""));
            within(() -> condition(neighbours, "Ready").equals(Condition.TRUE));
            Thread.sleep(QUIET);

            List<AuditEntry> writes = writes(audit, begin);
            assertThat(writes)
                    .as("%s", writes.stream().map(ControlPlaneInstallTest::line).toList())
                    .hasSizeLessThanOrEqualTo(24);
            assertThat(writes).allMatch(AuditEntry::succeeded);
            assertThat(WriteEffects.without(audit.since(audit.start())).stream()
                            .filter(entry -> entry.namespace().equals(neighbours.namespace))
                            .filter(ControlPlaneInstallTest::isOurs))
                    .as("writes without effect")
                    .isEmpty();
            System.out.println("Writes of the control-plane provider for a cluster of three: " + writes.size());

            AuditLog.Mark restart = audit.mark();
            running.stopReconciling();
            long requests = running.registry.requests().count();
            RunningControlPlane again =
                    new RunningControlPlane(cluster, Set.of(neighbours.namespace), running.registry);
            Thread.sleep(QUIET);
            again.stopReconciling();
            assertThat(writes(audit, restart)).as("writes after a restart").isEmpty();
            assertThat(running.registry.requests().count()).isEqualTo(requests);
        }
    }

    @Test
    void whatIsMissing_isNamedByACondition_andItsArrivalIsNoticed(TestCluster cluster) {
        Neighbours neighbours = new Neighbours(cluster);
        try (RunningControlPlane running = new RunningControlPlane(cluster, neighbours.namespace)) {
            assertThat(running.registry).isNotNull();
            neighbours.controlPlane();
            within(() -> message(neighbours, "Ready").contains("Secret pull-secret"));
            neighbours.pullSecret();
            within(() -> message(neighbours, "MachinesCreated").contains("Metal3MachineTemplate one-controlplane"));
            neighbours.template();
            within(() -> condition(neighbours, "MachinesCreated").equals(Condition.TRUE));
            assertThat(neighbours.machines()).hasSize(3);
        }
    }

    @Test
    void deletion_takesMachinesFirst_thenTheInstallation_andLeavesNothing(TestCluster cluster) {
        Neighbours neighbours = new Neighbours(cluster);
        neighbours.pullSecret();
        neighbours.template();
        try (RunningControlPlane running = new RunningControlPlane(cluster, neighbours.namespace)) {
            assertThat(running.registry).isNotNull();
            neighbours.controlPlane();
            within(() -> neighbours.install() != null && neighbours.machines().size() == 3);
            neighbours
                    .machines()
                    .forEach(machine -> neighbours.merge(
                            machine, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}"));
            neighbours.client.resource(neighbours.current()).delete();
            within(() -> message(neighbours, "Deleting").contains("waiting for the deletion of Machine one-"));
            assertThat(neighbours.install().getMetadata().getDeletionTimestamp())
                    .isNull();

            neighbours.machines().forEach(machine -> neighbours.merge(machine, "{\"metadata\":{\"finalizers\":null}}"));
            within(() -> neighbours
                            .client
                            .resources(OpenshiftAssistedControlPlane.class)
                            .inNamespace(neighbours.namespace)
                            .withName(Neighbours.NAME)
                            .get()
                    == null);
            assertThat(neighbours.install()).isNull();
            assertThat(neighbours
                            .client
                            .genericKubernetesResources("hive.openshift.io/v1", "ClusterImageSet")
                            .list()
                            .getItems())
                    .noneMatch(imageSet -> imageSet.getMetadata().getName().startsWith(neighbours.namespace));
        }
    }

    private static void within(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(condition);
    }

    private static OpenshiftAssistedControlPlaneStatus status(Neighbours neighbours) {
        return Optional.ofNullable(neighbours.current().getStatus())
                .orElse(new OpenshiftAssistedControlPlaneStatus(
                        null, null, 0, null, null, null, null, null, null, null, null));
    }

    private static String condition(Neighbours neighbours, String type) {
        return find(neighbours, type).map(Condition::status).orElse("");
    }

    private static String message(Neighbours neighbours, String type) {
        return find(neighbours, type).map(Condition::message).orElse("");
    }

    private static Optional<Condition> find(Neighbours neighbours, String type) {
        List<Condition> conditions = status(neighbours).conditions();
        Predicate<Condition> wanted = condition -> condition.type().equals(type);
        return conditions == null
                ? Optional.empty()
                : conditions.stream().filter(wanted).findFirst();
    }

    private static List<AuditEntry> writes(AuditLog audit, AuditLog.Mark since) {
        return audit.since(since).stream()
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
