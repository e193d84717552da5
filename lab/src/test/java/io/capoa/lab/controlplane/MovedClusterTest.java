package io.capoa.lab.controlplane;

import static io.capoa.lab.controlplane.Scene.within;
import static org.assertj.core.api.Assertions.assertThat;
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

/** An installed cluster that was moved to another management cluster without status and install objects. */
@ExtendWith(SharedCluster.class)
class MovedClusterTest {

    @Test
    void withoutStatusAndInstallation_nothingIsRecreated_andItIsReadyAgain(TestCluster cluster) {
        try (Scene scene = installed(cluster)) {
            Neighbours neighbours = scene.neighbours;
            Set<String> machines = uids(neighbours);
            scene.running.stopReconciling();
            forget(neighbours, neighbours.current());
            List.of(neighbours.imageSet(), neighbours.install(), neighbours.deployment())
                    .forEach(object -> neighbours.client.resource(object).delete());
            neighbours
                    .client
                    .secrets()
                    .inNamespace(neighbours.namespace)
                    .withName("pull-secret")
                    .delete();
            scene.running.registry.faults().down(true);
            AuditLog.Mark mark = cluster.auditLog().map(AuditLog::mark).orElse(null);

            RunningControlPlane again =
                    new RunningControlPlane(cluster, Set.of(neighbours.namespace), scene.running.registry);
            try {
                within(() -> scene.isTrue("Ready"));
                assertThat(scene.reason("InstallSucceeding")).isEqualTo("InstallCompleted");
                assertThat(scene.isTrue("Available")).isTrue();
                assertThat(scene.status().initialization().controlPlaneInitialized())
                        .isTrue();
                assertThat(neighbours.deployment()).isNull();
                assertThat(neighbours.install()).isNull();
                assertThat(uids(neighbours)).isEqualTo(machines);
            } finally {
                again.stopReconciling();
            }
            assumeTrue(mark != null, "this kind of cluster keeps no audit log that tests can read");
            assertThat(cluster.auditLog().orElseThrow().since(mark).stream()
                            .filter(entry -> entry.isWrite()
                                    && entry.user().contains(KnownUsers.CONTROL_PLANE_PROVIDER)
                                    && entry.namespace().equals(neighbours.namespace)))
                    .extracting(AuditEntry::resource)
                    .containsOnly("openshiftassistedcontrolplanes", "events");
        }
    }

    @Test
    void withAnInstallationWithoutStatus_theServiceLearnsThatItIsInstalled_andNothingElseChanges(TestCluster cluster) {
        try (Scene scene = installed(cluster)) {
            Neighbours neighbours = scene.neighbours;
            AgentClusterInstall install = neighbours.install();
            scene.running.stopReconciling();
            forget(neighbours, neighbours.current());
            forget(neighbours, install);
            neighbours.client.resource(neighbours.imageSet()).delete();

            RunningControlPlane again =
                    new RunningControlPlane(cluster, Set.of(neighbours.namespace), scene.running.registry);
            try {
                within(() -> scene.isTrue("Ready"));
                assertThat(Fields.isTrue(neighbours.deployment(), "spec", "installed"))
                        .isTrue();
                assertThat(Fields.string(neighbours.deployment(), "spec", "clusterMetadata", "clusterID"))
                        .isEqualTo("a");
                assertThat(neighbours.install().getMetadata().getGeneration())
                        .isEqualTo(install.getMetadata().getGeneration());

                neighbours.installState("adding-hosts");
                neighbours.complete();
                neighbours.edit("metadata: {annotations: {note: b}}");
                within(() -> scene.status().distributionVersion() != null);
                assertThat(Fields.isTrue(neighbours.deployment(), "spec", "installed"))
                        .isTrue();
            } finally {
                again.stopReconciling();
            }
        }
    }

    @Test
    void withoutOwners_machinesInstallationAndKubeconfigAreTakenOver(TestCluster cluster) {
        try (Scene scene = installed(cluster)) {
            Neighbours neighbours = scene.neighbours;
            Set<String> machines = uids(neighbours);
            String kubeconfig = neighbours.kubeconfig().getMetadata().getUid();
            scene.running.stopReconciling();
            neighbours.machines().forEach(machine -> orphan(neighbours, machine));
            List.of(neighbours.install(), neighbours.deployment(), neighbours.kubeconfig())
                    .forEach(object -> orphan(neighbours, object));

            RunningControlPlane again =
                    new RunningControlPlane(cluster, Set.of(neighbours.namespace), scene.running.registry);
            try {
                within(() -> neighbours.machines().stream().allMatch(machine -> isOwned(neighbours, machine))
                        && isOwned(neighbours, neighbours.install())
                        && isOwned(neighbours, neighbours.deployment())
                        && isOwned(neighbours, neighbours.kubeconfig()));
                assertThat(uids(neighbours)).isEqualTo(machines);
                assertThat(neighbours.kubeconfig().getMetadata().getUid()).isEqualTo(kubeconfig);
                assertThat(neighbours.machines())
                        .allSatisfy(machine -> assertThat(machine.getMetadata().getOwnerReferences())
                                .extracting("controller")
                                .containsExactly(true));
            } finally {
                again.stopReconciling();
            }
        }
    }

    @Test
    void anInstallationThatNeverCompleted_isRestarted_thoughNodesHaveJoined(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.installState("finalizing");
            neighbours.publishKubeconfig("any");
            neighbours.machines().forEach(machine -> neighbours.merge(machine, "{\"spec\":{\"providerID\":\"a\"}}"));
            within(() -> scene.isTrue("Available"));
            String before = neighbours.install().getMetadata().getUid();
            neighbours.client.resource(neighbours.install()).delete();

            within(() -> neighbours.install() != null
                    && !neighbours.install().getMetadata().getUid().equals(before));
            assertThat(Fields.isTrue(neighbours.deployment(), "spec", "installed"))
                    .isFalse();
        }
    }

    /** A cluster of three, installed by assisted-service, whose nodes have joined. */
    private static Scene installed(TestCluster cluster) {
        Scene scene = Scene.withControlPlane(cluster);
        Neighbours neighbours = scene.neighbours;
        neighbours.installState("installing");
        neighbours.publishKubeconfig("any");
        for (Machine machine : neighbours.machines()) {
            neighbours.merge(
                    machine,
                    "{\"spec\":{\"providerID\":\"metal3://%s/%s\"}}"
                            .formatted(
                                    neighbours.namespace, machine.getMetadata().getName()));
            neighbours.ready(machine, true);
        }
        neighbours.complete();
        neighbours.installState("adding-hosts");
        within(() -> scene.isTrue("Ready") && scene.status().distributionVersion() != null);
        return scene;
    }

    private static void forget(Neighbours neighbours, HasMetadata object) {
        neighbours.status(object, "{\"status\":null}");
    }

    private static void orphan(Neighbours neighbours, HasMetadata object) {
        neighbours.merge(object, "{\"metadata\":{\"ownerReferences\":null}}");
    }

    private static boolean isOwned(Neighbours neighbours, HasMetadata object) {
        String uid = neighbours.current().getMetadata().getUid();
        return object.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    private static Set<String> uids(Neighbours neighbours) {
        return neighbours.machines().stream()
                .map(machine -> machine.getMetadata().getUid())
                .collect(Collectors.toSet());
    }
}
