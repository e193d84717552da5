package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.controlplane.install.ResolvedRelease;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What Cluster API takes for the version of the control plane. */
class RunningVersionsTest {

    private static final ResolvedRelease INSTALLED =
            new ResolvedRelease("r:4.20.3", "r@sha256:3", "1.33.5", "4.20.3", "");
    private static final String JOINING = "";

    @Test
    void whileAMachineJoins_theVersionIsThatOfTheNodes() {
        assertThat(versions("v1.34.5", "v1.34.5", JOINING, "v1.34.5"))
                .as("else Cluster API takes the control plane for being upgraded, and creates no workers")
                .containsExactly(new StatusVersion("v1.34.5", 4));
    }

    @Test
    void inTheMiddleOfAnUpgrade_itCountsWithTheOldest() {
        assertThat(versions("v1.34.5", JOINING, "v1.33.10"))
                .containsExactly(new StatusVersion("v1.33.10", 2), new StatusVersion("v1.34.5", 1));
    }

    @Test
    void beforeTheFirstNode_theVersionIsTheOneBeingInstalled() {
        assertThat(versions(JOINING, JOINING)).containsExactly(new StatusVersion("v1.33.5", 2));
        assertThat(RunningVersions.of(List.of(machine(JOINING)), null)).isEmpty();
        assertThat(versions()).isEmpty();
    }

    private static List<StatusVersion> versions(String... kubelets) {
        return RunningVersions.of(
                Stream.of(kubelets).map(RunningVersionsTest::machine).toList(), INSTALLED);
    }

    private static Machine machine(String kubelet) {
        return Serialization.unmarshal(
                "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nstatus: {%s}"
                        .formatted(kubelet.isEmpty() ? "" : "nodeInfo: {kubeletVersion: " + kubelet + "}"),
                Machine.class);
    }
}
