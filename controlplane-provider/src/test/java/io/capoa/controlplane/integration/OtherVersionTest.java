package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An installed cluster with another version than in the spec: reported, and followed after {@code oc adm upgrade}. */
@ExtendWith(SharedCluster.class)
class OtherVersionTest {

    private WorkloadClusters clusters;
    private Workload workload;

    @BeforeEach
    void start() throws Exception {
        clusters = new WorkloadClusters(0).start();
        workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
        WorkloadApi.of(workload.kubeletKubeconfig()).send("PUT", "/machines/n-0?role=master", Map.of());
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void aReleaseThatIsRequestedLater_isReportedAsNotReached_untilTheFieldIsReset(TestCluster cluster)
            throws IOException {
        try (ControlPlaneScene scene = installed(cluster)) {
            scene.peers.edit("spec: {distributionVersion: 4.20.5}");
            within(() -> scene.reason("UpgradeAvailable").equals("UpgradeNotSupported"));
            assertThat(scene.message("UpgradeAvailable"))
                    .contains("runs 4.20.3", "asks for 4.20.5", "oc adm upgrade", "distributionVersion to 4.20.3");
            assertThat(scene.is("MachinesUpToDate", "False")).isTrue();
            assertThat(scene.is("RollingOut", "False")).isTrue();
            assertThat(scene.status().upToDateReplicas()).isZero();
            assertThat(scene.status().distributionVersion()).isEqualTo("4.20.3");
            assertThat(scene.isTrue("Ready")).isTrue();

            scene.peers.edit("spec: {distributionVersion: 4.20.3}");
            within(() -> scene.isTrue("MachinesUpToDate"));
            assertThat(scene.reason("UpgradeAvailable")).isEmpty();
            assertThat(scene.status().upToDateReplicas()).isEqualTo(1);
        }
    }

    @Test
    void theVersion_followsAnUpgradeByOc_onceThatIsComplete(TestCluster cluster) throws IOException {
        try (ControlPlaneScene scene = installed(cluster)) {
            scene.peers.edit("spec: {distributionVersion: 4.20.5}");
            within(() -> scene.is("MachinesUpToDate", "False"));

            workload.upgrade(ReleaseVersions.fromTag("registry.test/ocp-release:4.20.5-x86_64"));
            scene.peers.edit("metadata: {annotations: {note: a}}");
            assertThat(scene.status().distributionVersion()).isEqualTo("4.20.3");

            workload.upgraded();
            within(() -> "4.20.5".equals(scene.status().distributionVersion()));
            within(() -> scene.isTrue("MachinesUpToDate"));
            assertThat(scene.reason("UpgradeAvailable")).isEmpty();
        }
    }

    @Test
    void anotherKubernetesVersionThanRuns_isReportedAfterTheInstallation(TestCluster cluster) throws IOException {
        try (ControlPlaneScene scene = installed(cluster)) {
            scene.peers.edit("spec: {version: v1.32.0}");
            within(() -> scene.reason("ReleaseResolved").equals("VersionMismatch"));
            assertThat(scene.message("ReleaseResolved")).contains("v1.32.0", "runs Kubernetes v1.33.5", "remove it");

            scene.peers.edit("spec: {version: v1.33.5}");
            within(() -> scene.isTrue("ReleaseResolved"));
        }
    }

    private ControlPlaneScene installed(TestCluster cluster) throws IOException {
        ControlPlaneScene scene = ControlPlaneScene.withControlPlane(
                cluster, "spec: {replicas: 1, config: {apiVIPs: null, ingressVIPs: null}}");
        ControlPlanePeers peers = scene.peers;
        peers.installState("installing");
        Machine machine = peers.machines().getFirst();
        peers.ready(machine, true);
        peers.publishKubeconfig(workload.kubeconfig());
        peers.complete();
        peers.installState("adding-hosts");
        within(() -> scene.isTrue("Ready") && "4.20.3".equals(scene.status().distributionVersion()));
        return scene;
    }
}
