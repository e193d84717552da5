package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An installed cluster that was moved to another management cluster without status and install objects. */
@ExtendWith({SharedCluster.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class MovedControlPlaneTest {

    @Test
    void withoutStatusAndInstallation_nothingIsRecreated_andItIsReadyAgain(TestCluster cluster) {
        try (ControlPlaneScene scene = installed(cluster)) {
            ControlPlanePeers peers = scene.peers;
            Set<String> machines = uids(peers);
            scene.running.stop();
            forget(peers, peers.current());
            List.of(peers.imageSet(), peers.install(), peers.deployment())
                    .forEach(object -> peers.client.resource(object).delete());
            peers.client
                    .secrets()
                    .inNamespace(peers.namespace)
                    .withName("pull-secret")
                    .delete();
            scene.running.registry.faults().down(true);
            AuditLog.Mark mark = cluster.auditLog().map(AuditLog::mark).orElse(null);

            scene.running.start();
            within(() -> scene.isTrue("Ready"));
            assertThat(scene.reason("InstallSucceeding")).isEqualTo("InstallCompleted");
            assertThat(scene.isTrue("Available")).isTrue();
            assertThat(scene.status().initialization().controlPlaneInitialized())
                    .isTrue();
            assertThat(peers.deployment()).isNull();
            assertThat(peers.install()).isNull();
            assertThat(uids(peers)).isEqualTo(machines);
            assumeTrue(mark != null, "this kind of cluster keeps no audit log that tests can read");
            // Events are sent in the background.
            await().atMost(ControlPlaneScene.SOON)
                    .untilAsserted(
                            () -> assertThat(written(cluster, mark, peers)).contains("events"));
            assertThat(written(cluster, mark, peers)).containsOnly("openshiftassistedcontrolplanes", "events");
        }
    }

    /** The resources that the provider has written in the namespace. */
    private static Set<String> written(TestCluster cluster, AuditLog.Mark since, ControlPlanePeers peers) {
        return cluster.auditLog().orElseThrow().since(since, peers.namespace).stream()
                .filter(entry -> entry.isWrite()
                        && entry.user().contains(KnownUsers.CONTROL_PLANE_PROVIDER)
                        && entry.namespace().equals(peers.namespace))
                .map(AuditEntry::resource)
                .collect(Collectors.toSet());
    }

    @Test
    void withAnInstallationWithoutStatus_theServiceLearnsThatItIsInstalled_andNothingElseChanges(TestCluster cluster) {
        try (ControlPlaneScene scene = installed(cluster)) {
            ControlPlanePeers peers = scene.peers;
            AgentClusterInstall install = peers.install();
            scene.running.stop();
            forget(peers, peers.current());
            forget(peers, install);
            peers.client.resource(peers.imageSet()).delete();

            scene.running.start();
            within(() -> scene.isTrue("Ready"));
            assertThat(Fields.isTrue(peers.deployment(), "spec", "installed")).isTrue();
            assertThat(Fields.string(peers.deployment(), "spec", "clusterMetadata", "clusterID"))
                    .isEqualTo("a");
            assertThat(peers.install().getMetadata().getGeneration())
                    .isEqualTo(install.getMetadata().getGeneration());

            peers.installState("adding-hosts");
            peers.complete();
            peers.edit("metadata: {annotations: {note: b}}");
            within(() -> scene.status().distributionVersion() != null);
            assertThat(Fields.isTrue(peers.deployment(), "spec", "installed")).isTrue();
        }
    }

    @Test
    void withoutOwners_machinesInstallationAndKubeconfigAreTakenOver(TestCluster cluster) {
        try (ControlPlaneScene scene = installed(cluster)) {
            ControlPlanePeers peers = scene.peers;
            Set<String> machines = uids(peers);
            String kubeconfig = peers.kubeconfig().getMetadata().getUid();
            scene.running.stop();
            peers.machines().forEach(machine -> orphan(peers, machine));
            List.of(peers.install(), peers.deployment(), peers.kubeconfig()).forEach(object -> orphan(peers, object));

            scene.running.start();
            within(() -> peers.machines().stream().allMatch(machine -> isOwned(peers, machine))
                    && isOwned(peers, peers.install())
                    && isOwned(peers, peers.deployment())
                    && isOwned(peers, peers.kubeconfig()));
            assertThat(uids(peers)).isEqualTo(machines);
            assertThat(peers.kubeconfig().getMetadata().getUid()).isEqualTo(kubeconfig);
            assertThat(peers.machines())
                    .allSatisfy(machine -> assertThat(machine.getMetadata().getOwnerReferences())
                            .extracting("controller")
                            .containsExactly(true));
        }
    }

    @Test
    void anInstallationThatNeverCompleted_isRestarted_thoughNodesHaveJoined(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("finalizing");
            peers.publishKubeconfig("any");
            peers.machines().forEach(machine -> peers.merge(machine, "{\"spec\":{\"providerID\":\"a\"}}"));
            within(() -> scene.isTrue("Available"));
            String before = peers.install().getMetadata().getUid();
            peers.client.resource(peers.install()).delete();

            within(() -> peers.install() != null
                    && !peers.install().getMetadata().getUid().equals(before));
            assertThat(Fields.isTrue(peers.deployment(), "spec", "installed")).isFalse();
        }
    }

    /** A cluster of three, installed by assisted-service, whose nodes have joined. */
    private static ControlPlaneScene installed(TestCluster cluster) {
        ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster);
        ControlPlanePeers peers = scene.peers;
        peers.installState("installing");
        peers.publishKubeconfig("any");
        for (Machine machine : peers.machines()) {
            peers.merge(
                    machine,
                    "{\"spec\":{\"providerID\":\"metal3://%s/%s\"}}"
                            .formatted(peers.namespace, machine.getMetadata().getName()));
            peers.ready(machine, true);
        }
        peers.complete();
        peers.installState("adding-hosts");
        within(() -> scene.isTrue("Ready") && scene.status().distributionVersion() != null);
        return scene;
    }

    private static void forget(ControlPlanePeers peers, HasMetadata object) {
        peers.status(object, "{\"status\":null}");
    }

    private static void orphan(ControlPlanePeers peers, HasMetadata object) {
        peers.merge(object, "{\"metadata\":{\"ownerReferences\":null}}");
    }

    private static boolean isOwned(ControlPlanePeers peers, HasMetadata object) {
        String uid = peers.current().getMetadata().getUid();
        return object.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    private static Set<String> uids(ControlPlanePeers peers) {
        return peers.machines().stream()
                .map(machine -> machine.getMetadata().getUid())
                .collect(Collectors.toSet());
    }
}
