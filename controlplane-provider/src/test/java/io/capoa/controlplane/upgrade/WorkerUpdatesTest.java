package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.controlplane.install.Workers;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.upgrade.WorkerUpdates.Extension;
import io.capoa.controlplane.upgrade.WorkerUpdates.Pending;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a change of a worker MachineDeployment's version does. */
class WorkerUpdatesTest {

    private static final List<Machine> UPGRADED = List.of(master("v1.34.5"), master("v1.34.5"));

    @Test
    void aVersionThatIsTheClusters_orNone_isNotPending() {
        assertThat(pending(deployment("v1.34.5", 2), set("v1.34.5", 2))).isEmpty();
        assertThat(pending(deployment("1.34.5+okd", 2), set("1.34.5+okd", 2))).isEmpty();
        assertThat(pending(deployment(null, 2), set(null, 2))).isEmpty();
        assertThat(pending(deployment("v1.33.5", 0), set("v1.33.5", 0))).isEmpty();
    }

    @Test
    void whileTheNodesDiffer_nothingIsSaidAboutVersionsToCome() {
        Workers workers = workers(deployment("v1.33.5", 2), set("v1.33.5", 2));
        assertThat(WorkerUpdates.pending(List.of(master("v1.33.5"), master("v1.34.5")), workers))
                .isEmpty();
        assertThat(WorkerUpdates.pending(List.of(), workers)).isEmpty();
    }

    @Test
    void aVersionThatIsBehind_wouldReinstallHosts_withoutTheExtension() {
        List<Pending> behind = pending(deployment("v1.33.5", 2), set("v1.33.5", 2));
        assertThat(behind).containsExactly(new Pending("workers", "v1.33.5", "v1.34.5", false));
        assertThat(WorkerUpdates.blocker(behind, Extension.READY)).isEmpty();
        assertThat(WorkerUpdates.blocker(behind, Extension.UNKNOWN)).isEmpty();
        assertThat(WorkerUpdates.blocker(behind, Extension.ABSENT))
                .contains(
                        new Blocker(
                                "WorkerVersionOutdated",
                                "a change of the version of MachineDeployment workers from v1.33.5 to v1.34.5 would reinstall its"
                                        + " hosts: first register the runtime extension, and wait for its condition Discovered"));
        assertThat(WorkerUpdates.blocker(behind, Extension.NOT_DISCOVERED)).isPresent();
    }

    @Test
    void aChange_isMadeInPlace_orWaits_orReinstallsHosts() {
        List<Pending> rolling = pending(deployment("v1.34.5", 2), set("v1.33.5", 1), set("v1.34.5", 1));
        assertThat(rolling).containsExactly(new Pending("workers", "v1.33.5", "v1.34.5", true));
        assertThat(reason(rolling, Extension.READY)).isEqualTo("UpdatingWorkers");
        assertThat(reason(rolling, Extension.NOT_DISCOVERED)).isEqualTo("WaitingForRuntimeExtension");
        assertThat(reason(rolling, Extension.ABSENT)).isEqualTo("WorkersReinstalled");
        assertThat(WorkerUpdates.blocker(rolling, Extension.UNKNOWN)).isEmpty();
        assertThat(pending(deployment("v1.34.5", 2), set("v1.33.5", 0), set("v1.34.5", 2)))
                .as("the old MachineSet is empty")
                .isEmpty();
    }

    @Test
    void workersOfOtherBootstrapProviders_andDeletedOnes_doNotCount() {
        MachineDeployment foreign = Objects.read(MachineDeployment.class, """
            metadata: {name: workers, uid: deployment}
            spec: {replicas: 2, template: {spec: {version: v1.33.5, bootstrap: {configRef: {kind: KubeadmConfigTemplate}}}}}
            """);
        assertThat(WorkerUpdates.pending(UPGRADED, workers(foreign))).isEmpty();
        MachineDeployment deleted = deployment("v1.33.5", 2);
        deleted.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(WorkerUpdates.pending(UPGRADED, workers(deleted))).isEmpty();
    }

    private static String reason(List<Pending> pending, Extension extension) {
        return WorkerUpdates.blocker(pending, extension).orElseThrow().reason();
    }

    private static List<Pending> pending(MachineDeployment deployment, MachineSet... sets) {
        return WorkerUpdates.pending(UPGRADED, workers(deployment, sets));
    }

    private static Workers workers(MachineDeployment deployment, MachineSet... sets) {
        return new Workers(List.of(deployment), List.of(sets), List.of());
    }

    private static Machine master(String kubelet) {
        return Objects.read(
                Machine.class, "metadata: {name: m}\nstatus: {nodeInfo: {kubeletVersion: %s}}".formatted(kubelet));
    }

    private static MachineDeployment deployment(@Nullable String version, int replicas) {
        return Objects.read(MachineDeployment.class, """
            metadata: {name: workers, uid: deployment}
            spec: {replicas: %d, template: {spec: {version: %s, bootstrap: {configRef: {kind: OpenshiftAssistedConfigTemplate}}}}}
            """.formatted(replicas, version));
    }

    private static MachineSet set(@Nullable String version, int replicas) {
        return Objects.read(MachineSet.class, """
            metadata: {name: set, ownerReferences: [{apiVersion: v1, kind: MachineDeployment, name: workers, uid: deployment}]}
            spec: {replicas: %d, template: {spec: {version: %s}}}
            """.formatted(replicas, version));
    }
}
