package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A running cluster that was moved without status and install objects, with all peers. */
@Tag("full")
@Tag("whole")
@Disturbing
class MovedClusterTest {

    @Test
    void aRunningCluster_isReadyAgain_andReportsItsVersion(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        Set<String> machines = uids(lab, namespace);

        lab.kill(Provider.CONTROL_PLANE);
        lab.admin().resources(ClusterDeployment.class).inNamespace(namespace).delete();
        await().atMost(WholeLab.SOON)
                .until(() -> deployments(lab, namespace).isEmpty()
                        && installs(lab, namespace).isEmpty());
        lab.admin()
                .resource(lab.controlPlane(namespace))
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
        lab.startProviders();

        await().atMost(WholeLab.SOON)
                .until(() -> lab.condition(namespace, "Ready")
                        .filter(ready -> ready.status().equals("True"))
                        .isPresent());
        await().atMost(WholeLab.SOON)
                .untilAsserted(
                        () -> assertThat(lab.controlPlane(namespace).getStatus().distributionVersion())
                                .isEqualTo("4.20.3"));
        assertThat(uids(lab, namespace)).isEqualTo(machines);
        assertThat(deployments(lab, namespace)).isEmpty();
        assertThat(installs(lab, namespace)).isEmpty();
    }

    private static List<ClusterDeployment> deployments(WholeLab lab, String namespace) {
        return lab.admin()
                .resources(ClusterDeployment.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private static List<AgentClusterInstall> installs(WholeLab lab, String namespace) {
        return lab.admin()
                .resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private static Set<String> uids(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .map(machine -> machine.getMetadata().getUid())
                .collect(Collectors.toSet());
    }
}
