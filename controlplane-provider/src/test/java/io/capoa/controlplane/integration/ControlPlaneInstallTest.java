package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.WriteEffects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A control plane from its creation to Available, and its deletion. */
@ExtendWith({SharedCluster.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneInstallTest {

    @Test
    void fromCreationToAvailable_inAtMost24Writes_andThenNone(TestCluster cluster) {
        AuditLog audit = cluster.auditLog().orElseThrow();
        AuditLog.Mark begin = audit.mark();
        try (ControlPlaneScene scene = ControlPlaneScene.own(cluster)) {
            ControlPlanePeers peers = scene.peers;
            peers.controlPlane();
            within(() -> peers.install() != null
                    && peers.machines().size() == 3
                    && peers.machines().stream().allMatch(machine -> ConditionView.isTrue(machine, "UpToDate")));
            within(() -> Integer.valueOf(3).equals(scene.status().replicas()));
            assertThat(scene.status().version()).isEqualTo("v1.33.5");
            assertThat(Fields.map(peers.install(), "spec", "provisionRequirements"))
                    .isEqualTo(Map.of("controlPlaneAgents", 3));

            peers.installState("installing");
            peers.publishKubeconfig("first");
            within(() -> peers.kubeconfig() != null);
            assertThat(scene.status().initialization()).isNull();

            peers.installState("finalizing");
            within(() -> scene.isTrue("Available"));
            assertThat(scene.status().initialization()).isNotNull();

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
            within(() -> scene.isTrue("Ready"));
            scene.untilReconciled();

            List<AuditEntry> writes = writes(audit, begin, peers);
            assertThat(writes)
                    .as(
                            "with that of the last change: %s",
                            writes.stream().map(ControlPlaneInstallTest::line).toList())
                    .hasSizeLessThanOrEqualTo(24 + 1);
            assertThat(writes).allMatch(AuditEntry::succeeded);
            assertThat(WriteEffects.without(audit.since(begin, peers.namespace)).stream()
                            .filter(entry -> entry.namespace().equals(peers.namespace))
                            .filter(ControlPlaneInstallTest::isOurs))
                    .as("writes without effect")
                    .isEmpty();
            System.out.println("Writes of the control-plane provider for a cluster of three: " + (writes.size() - 1));

            AuditLog.Mark restart = audit.mark();
            scene.running.stop();
            long requests = scene.running.registry.requests().count();
            scene.running.start();
            scene.untilReconciled();
            scene.running.stop();
            assertThat(writes(audit, restart, peers))
                    .as("writes after a restart, but for that of the change")
                    .extracting(AuditEntry::subresource)
                    .containsExactly("status");
            assertThat(scene.running.registry.requests().count()).isEqualTo(requests);
        }
    }

    @Test
    void whatIsMissing_isNamedByACondition_andItsArrivalIsNoticed(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.empty(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.controlPlane();
            within(() -> scene.message("Ready").contains("Secret pull-secret"));
            peers.pullSecret();
            within(() -> scene.message("MachinesCreated").contains("Metal3MachineTemplate one-controlplane"));
            peers.template();
            within(() -> scene.isTrue("MachinesCreated"));
            assertThat(peers.machines()).hasSize(3);
        }
    }

    @Test
    void deletion_takesMachinesFirst_thenTheInstallation_andLeavesNothing(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.controlPlane();
            within(() -> peers.install() != null && peers.machines().size() == 3);
            peers.machines()
                    .forEach(machine ->
                            peers.merge(machine, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}"));
            peers.client.resource(peers.current()).delete();
            within(() -> scene.message("Deleting").contains("waiting for the deletion of Machine one-"));
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

    /** In its namespace, and of its ClusterImageSet, whose name begins with that. */
    private static List<AuditEntry> writes(AuditLog audit, AuditLog.Mark since, ControlPlanePeers peers) {
        return audit.since(since, peers.namespace).stream()
                .filter(ControlPlaneInstallTest::isOurs)
                .filter(entry -> entry.namespace().equals(peers.namespace)
                        || entry.name().startsWith(peers.namespace))
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
