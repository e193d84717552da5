package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Failures in the whole lab: killed managers, failing hosts, deletion, other types of clusters. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class AdversityTest {

    @Test
    @ResourceLock(WholeLab.PARTS)
    void managersKilledAtEveryStep_makeNoMachineTwice_andTheClusterBecomesReady(WholeLab lab) {
        String namespace = lab.namespace(4);
        lab.apply(namespace, WholeLab::withoutWorkers);
        for (BooleanSupplier step : new BooleanSupplier[] {
            () -> !lab.machines(namespace).isEmpty(),
            () -> install(lab, namespace) != null,
            () -> Fields.string(install(lab, namespace), "spec", "clusterMetadata", "clusterID") != null
        }) {
            await().atMost(WholeLab.SOON).until(step::getAsBoolean);
            lab.kill(Provider.CONTROL_PLANE);
            lab.kill(Provider.BOOTSTRAP);
            lab.startProviders();
        }
        lab.awaitReady(namespace);

        assertThat(lab.machines(namespace)).hasSize(3);
        assertThat(lab.admin()
                        .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3Machine")
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(3);
    }

    @Test
    void aHostThatFails_isNamed_withTheServicesMessage(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .withName("host-1")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"lab.capoa.io/fail\":\"Writing image to disk\"}}}");
        lab.apply(namespace, WholeLab::withoutWorkers);

        await().atMost(WholeLab.SOON)
                .until(() -> lab.condition(namespace, "InstallSucceeding")
                        .filter(c -> c.reason().equals("InstallFailed"))
                        .isPresent());
        assertThat(lab.condition(namespace, "InstallSucceeding").orElseThrow().message())
                .containsIgnoringCase("fail");
        assertThat(lab.condition(namespace, "Available").orElseThrow().status()).isEqualTo(Condition.FALSE);
        // The view shows the host, once the other provider has reported it, and what to do.
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.rows(namespace).getFirst().failure())
                        .satisfies(lines -> assertThat(lines).first().asString().startsWith("InstallFailed: "))
                        .anyMatch(line -> line.contains("Writing image to disk"))
                        .anyMatch(line -> line.contains("controlplane.cluster.x-k8s.io/retry-install")));
    }

    @Test
    void aSingleNodeOfOkdWithoutPullSecret_becomesReady_andIsDeletedWithItsCluster(WholeLab lab) {
        String namespace = lab.namespace(1);
        lab.apply(
                namespace,
                sample -> WholeLab.withoutWorkers(sample)
                        .replace("replicas: 3", "replicas: 1")
                        .replace("distributionVersion: 4.20.3", "distributionVersion: 4.20.0-okd-scos.1")
                        .replaceAll(" *(apiVIPs|ingressVIPs): .*\n", "")
                        .replaceAll(" *pullSecretRef:\n *name: pull-secret\n", ""));
        lab.awaitReady(namespace);
        assertThat(Fields.string(install(lab, namespace), "spec", "platformType"))
                .isEqualTo("None");

        lab.admin()
                .resources(Cluster.class)
                .inNamespace(namespace)
                .withName("multinode")
                .delete();
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.admin()
                                .resources(Cluster.class)
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                        .extracting(
                                cluster -> ConditionView.of(cluster, "Deleting").map(ConditionView::message))
                        .isEmpty());
        assertThat(install(lab, namespace)).isNull();
        assertThat(lab.machines(namespace)).isEmpty();
    }

    @Test
    void twoClustersOfOneNameAtOnce_bothBecomeReady_underNamesOfTheirOwn(WholeLab lab) {
        String here = lab.namespace(3);
        String there = lab.namespace(3);
        lab.apply(
                here,
                sample -> WholeLab.withoutWorkers(sample)
                        .replace("    baseDomain: lab.example", "    clusterName: prod\n    baseDomain: lab.example"));
        lab.apply(there, WholeLab::withoutWorkers);
        lab.awaitReady(here);
        lab.awaitReady(there);
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(List.of(here, there))
                        .extracting(namespace ->
                                lab.controlPlane(namespace).getStatus().readyReplicas())
                        .containsOnly(3));
        assertThat(Fields.string(
                        lab.admin()
                                .resources(ClusterDeployment.class)
                                .inNamespace(here)
                                .withName("multinode")
                                .require(),
                        "spec",
                        "clusterName"))
                .isEqualTo("prod");
    }

    private static AgentClusterInstall install(WholeLab lab, String namespace) {
        return lab.admin()
                .resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .withName("multinode")
                .get();
    }
}
