package io.capoa.lab.controlplane;

import static io.capoa.lab.controlplane.Scene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Retry of a failed installation, step by step. */
@ExtendWith(SharedCluster.class)
class RetryInstallTest {

    private static final String HELD = "{\"metadata\":{\"finalizers\":[\"lab.capoa.io/held\"]}}";
    private static final String FREE = "{\"metadata\":{\"finalizers\":null}}";

    @Test
    void everythingOfTheFailedInstallationIsDeleted_andNewObjectsAreKept(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            worker(neighbours, "failed", "OpenshiftAssistedConfig");
            worker(neighbours, "other", "KubeadmConfig");
            String other = uid(machine(neighbours, "other"));
            neighbours.merge(neighbours.install(), HELD);
            neighbours.installState("finalizing");
            neighbours.publishKubeconfig("of the failed cluster");
            within(() -> scene.isTrue("KubeconfigAvailable") && scene.status().initialization() != null);
            neighbours.status(neighbours.install(), """
                    {"status":{"debugInfo":{"state":"error","stateInfo":"cluster has hosts in error"}}}""");
            within(() -> scene.reason("InstallSucceeding").equals("InstallFailed"));
            String install = uid(neighbours.install());
            Set<String> machines = uids(neighbours);
            machines.remove(other);

            neighbours.edit("metadata: {annotations: {%s: '1'}}".formatted(Annotations.RETRY_INSTALL));
            within(() -> neighbours.install().getMetadata().getDeletionTimestamp() != null
                    && neighbours.machines().size() == 1
                    && neighbours.deployment() == null);
            assertThat(uid(machine(neighbours, "other")))
                    .as("a worker of another bootstrap provider")
                    .isEqualTo(other);
            within(() -> neighbours.kubeconfig() == null && scene.status().initialization() == null);
            assertThat(scene.is("Initialized", "False")).isTrue();
            within(() -> scene.reason("InstallSucceeding").equals("RetryingInstall"));
            assertThat(scene.reason("KubeconfigAvailable")).isEqualTo("KubeconfigUnavailable");

            // The MachineSet's replacement of the old worker, while the old installation is being deleted.
            worker(neighbours, "successor", "OpenshiftAssistedConfig");
            neighbours.edit("spec: {config: {sshAuthorizedKey: ssh-ed25519 AAAA}}");
            long generation = neighbours.current().getMetadata().getGeneration();
            within(() -> Objects.equals(scene.status().observedGeneration(), generation));
            assertThat(neighbours.machines())
                    .extracting(machine -> machine.getMetadata().getName())
                    .containsExactlyInAnyOrder("other", "successor");

            neighbours.merge(neighbours.install(), FREE);
            within(() ->
                    neighbours.install() != null && !uid(neighbours.install()).equals(install));
            within(() -> neighbours.machines().size() == 5);
            assertThat(uids(neighbours)).doesNotContainAnyElementsOf(machines);
            assertThat(neighbours.install().getMetadata().getAnnotations())
                    .containsEntry(Annotations.RETRY_INSTALL, "1");
            within(() -> scene.reason("InstallSucceeding").equals("WaitingForHosts"));
            assertThat(scene.reason("KubeconfigAvailable")).isEqualTo("KubeconfigUnavailable");
            neighbours.installState("installing");
            within(() -> scene.reason("InstallSucceeding").equals("Installing"));
            assertThat(scene.status().initialization())
                    .as("the new API server has not answered")
                    .isNull();
        }
    }

    private static Machine machine(Neighbours neighbours, String name) {
        return neighbours.machines().stream()
                .filter(machine -> machine.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void worker(Neighbours neighbours, String name, String config) {
        neighbours.apply("""
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

    private static Set<String> uids(Neighbours neighbours) {
        return neighbours.machines().stream()
                .map((Machine machine) -> uid(machine))
                .collect(Collectors.toSet());
    }
}
