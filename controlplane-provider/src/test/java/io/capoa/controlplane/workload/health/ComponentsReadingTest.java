package io.capoa.controlplane.workload.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.lab.controller.Delays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The components of a simulated cluster's control plane. */
class ComponentsReadingTest {

    @Test
    void aNodeWhoseKubeApiserverCrashes_isNamed_andADegradedOperatorToo() throws Exception {
        try (ThreeNodes cluster = new ThreeNodes(Delays.none())) {
            ControlPlaneComponents well =
                    InstalledCluster.etcdState(cluster.kubeconfig()).components();
            assertThat(well.apiServers()).containsOnly(entry("n-0", true), entry("n-1", true), entry("n-2", true));
            assertThat(well.operators())
                    .extracting(OperatorHealth::name)
                    .containsExactly("kube-apiserver", "kube-controller-manager", "kube-scheduler");
            assertThat(well.isGood()).isTrue();

            annotate(cluster, "/api/v1/nodes/n-1", "lab.capoa.io/kube-apiserver", "CrashLoopBackOff");
            ControlPlaneComponents crashing =
                    InstalledCluster.etcdState(cluster.kubeconfig()).components();
            assertThat(crashing.apiServers()).contains(entry("n-0", true), entry("n-1", false));
            assertThat(crashing.isGood()).isFalse();

            annotate(
                    cluster,
                    "/apis/config.openshift.io/v1/clusteroperators/kube-scheduler",
                    "lab.capoa.io/fail",
                    "Degraded");
            assertThat(InstalledCluster.etcdState(cluster.kubeconfig())
                            .components()
                            .operators()
                            .getLast())
                    .isEqualTo(new OperatorHealth("kube-scheduler", true, true, "kube-scheduler is degraded"));
        }
    }

    private static void annotate(ThreeNodes cluster, String path, String annotation, String value) throws Exception {
        cluster.workload
                .api()
                .send("PATCH", path, Map.of("metadata", Map.of("annotations", Map.of(annotation, value))));
    }
}
