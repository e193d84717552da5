package io.capoa.controlplane.workload.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.health.ThreeNodes;
import io.capoa.lab.controller.Delays;
import org.junit.jupiter.api.Test;

/** The override of the quorum guard, which the user may have set before. */
class QuorumGuardTest {

    @Test
    void anOverride_isSeenWhoeverHasSetIt() throws Exception {
        try (ThreeNodes cluster = new ThreeNodes(Delays.none())) {
            assertThat(QuorumGuard.isOverridden(cluster.kubeconfig())).isFalse();
            assertThat(QuorumGuard.override(cluster.kubeconfig(), true)).isNull();
            assertThat(QuorumGuard.isOverridden(cluster.kubeconfig())).isTrue();
            assertThat(QuorumGuard.override(cluster.kubeconfig(), false)).isNull();
            assertThat(QuorumGuard.isOverridden(cluster.kubeconfig())).isFalse();
        }
    }
}
