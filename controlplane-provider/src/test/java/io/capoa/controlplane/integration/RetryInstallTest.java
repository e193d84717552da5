package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.steps.machines.Fence;
import io.capoa.controlplane.steps.machines.RetryStep;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Retry of a failed installation, step by step. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class RetryInstallTest {

    private static final String HELD = "{\"metadata\":{\"finalizers\":[\"lab.capoa.io/held\"]}}";
    private static final String FREE = "{\"metadata\":{\"finalizers\":null}}";

    @Test
    void everythingOfTheFailedInstallationIsDeleted_andNewObjectsAreKept(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            worker(peers, "failed", "OpenshiftAssistedConfig");
            worker(peers, "other", "KubeadmConfig");
            String other = uid(machine(peers, "other"));
            peers.merge(peers.install(), HELD);
            peers.installState("finalizing");
            peers.publishKubeconfig("of the failed cluster");
            within(() -> scene.isTrue("KubeconfigAvailable") && scene.status().initialization() != null);
            peers.status(peers.install(), """
                {"status":{"debugInfo":{"state":"error","stateInfo":"cluster has hosts in error"}}}\
                """);
            within(() -> scene.reason("InstallSucceeding").equals("InstallFailed"));
            String install = uid(peers.install());
            Set<String> machines = uids(peers);
            machines.remove(other);

            peers.edit("metadata: {annotations: {%s: '1'}}".formatted(Annotations.RETRY_INSTALL));
            within(() -> peers.install().getMetadata().getDeletionTimestamp() != null
                    && peers.machines().size() == 1
                    && peers.deployment() == null);
            assertThat(uid(machine(peers, "other")))
                    .as("a worker of another bootstrap provider")
                    .isEqualTo(other);
            within(() -> peers.kubeconfig() == null && scene.status().initialization() == null);
            assertThat(scene.is("Initialized", "False")).isTrue();
            within(() -> scene.reason("InstallSucceeding").equals("RetryingInstall"));
            assertThat(scene.reason("KubeconfigAvailable")).isEqualTo("KubeconfigUnavailable");

            // The MachineSet's replacement of the old worker, while the old installation is being deleted.
            worker(peers, "successor", "OpenshiftAssistedConfig");
            peers.edit("spec: {config: {sshAuthorizedKey: ssh-ed25519 AAAA}}");
            long generation = peers.current().getMetadata().getGeneration();
            within(() -> Objects.equals(scene.status().observedGeneration(), generation));
            assertThat(peers.machines())
                    .extracting(machine -> machine.getMetadata().getName())
                    .containsExactlyInAnyOrder("other", "successor");

            peers.merge(peers.install(), FREE);
            within(() -> peers.install() != null && !uid(peers.install()).equals(install));
            within(() -> peers.machines().size() == 5);
            assertThat(uids(peers)).doesNotContainAnyElementsOf(machines);
            assertThat(peers.install().getMetadata().getAnnotations()).containsEntry(Annotations.RETRY_INSTALL, "1");
            within(() -> scene.reason("InstallSucceeding").equals("WaitingForHosts"));
            assertThat(scene.reason("KubeconfigAvailable")).isEqualTo("KubeconfigUnavailable");
            peers.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            assertThat(scene.status().initialization())
                    .as("the new API server has not answered")
                    .isNull();
        }
    }

    @Test
    void aWorkerThatIsYoungerThanTheDeletion_isKept_beforeTheCacheShowsThatDeletion(RunningControlPlane shared) {
        ControlPlanePeers peers = failedWithoutProvider(shared);
        ControlPlaneObservation before = observation(peers);
        step(peers, true).apply(before);
        assertThat(peers.install().getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(peers.machines()).isEmpty();

        worker(peers, "successor", "OpenshiftAssistedConfig");
        step(peers, true).apply(before);

        assertThat(peers.machines())
                .singleElement()
                .satisfies(successor -> assertThat(successor.getMetadata())
                        .returns("successor", ObjectMeta::getName)
                        .returns(null, ObjectMeta::getDeletionTimestamp));
    }

    @Test
    void aRetry_waitsForTheEndOfAPause_andIsOfTheLeader(RunningControlPlane shared) {
        ControlPlanePeers peers = failedWithoutProvider(shared);
        ControlPlaneObservation before = observation(peers);

        step(peers, false).apply(before);
        peers.edit("metadata: {annotations: {%s: ''}}".formatted(Annotations.PAUSED));
        step(peers, true).apply(before);

        assertThat(peers.machines()).hasSize(1);
        assertThat(peers.install().getMetadata().getDeletionTimestamp()).isNull();
    }

    /** A failed installation with a worker, whose retry is asked for, and whose AgentClusterInstall is held when it is deleted. */
    private static ControlPlanePeers failedWithoutProvider(RunningControlPlane shared) {
        ControlPlanePeers peers = new ControlPlanePeers(shared.cluster);
        peers.installOf(peers.controlPlane(), "release");
        peers.merge(peers.install(), HELD);
        peers.installState("error");
        peers.edit("metadata: {annotations: {%s: '1'}}".formatted(Annotations.RETRY_INSTALL));
        worker(peers, "failed", "OpenshiftAssistedConfig");
        return peers;
    }

    private static ControlPlaneObservation observation(ControlPlanePeers peers) {
        return ControlPlaneObservations.of(
                new ControlPlaneIdentity(peers.current(), peers.name),
                peers.client
                        .resources(Cluster.class)
                        .inNamespace(peers.namespace)
                        .withName(peers.name)
                        .require(),
                peers.install(),
                null,
                List.of(),
                List.of());
    }

    private static RetryStep step(ControlPlanePeers peers, boolean leads) {
        return new RetryStep(peers.client, new Applier(peers.client, "test"), new Fence(peers.client, () -> leads));
    }

    private static Machine machine(ControlPlanePeers peers, String name) {
        return peers.machines().stream()
                .filter(machine -> machine.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void worker(ControlPlanePeers peers, String name, String config) {
        peers.apply("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {name: %1$s, labels: {cluster.x-k8s.io/cluster-name: one}}
            spec:
              clusterName: one
              bootstrap:
                configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: %2$s, name: %1$s}
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s}
            """.formatted(name, config));
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    private static Set<String> uids(ControlPlanePeers peers) {
        return peers.machines().stream().map((Machine machine) -> uid(machine)).collect(Collectors.toSet());
    }
}
