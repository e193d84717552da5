package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The main use case: from one applied file to a Ready cluster, and no writes afterwards. */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class MultinodeTest {

    private static final Duration REST = Duration.ofSeconds(2);

    @Test
    void oneFile_becomesAClusterOfThreeControlPlanesAndTwoWorkers(WholeLab lab) {
        String namespace = lab.namespace(5);

        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);

        OpenshiftAssistedControlPlaneStatus status = lab.controlPlane(namespace).getStatus();
        assertThat(status.initialization().controlPlaneInitialized()).isTrue();
        assertThat(List.of(
                        status.replicas(),
                        status.readyReplicas(),
                        status.availableReplicas(),
                        status.upToDateReplicas()))
                .containsOnly(3);
        assertThat(status.conditions())
                .filteredOn(c -> c.type().equals("Available"))
                .extracting(Condition::status)
                .containsExactly(Condition.TRUE);
        assertThat(status.version()).isEqualTo("v1.33.5");

        KubernetesClient admin = lab.admin();
        assertThat(admin.resources(ClusterDeployment.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(1);
        AgentClusterInstall install = admin.resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .withName("multinode")
                .require();
        assertThat(ConditionView.isTrue(install, "Completed")).isTrue();
        String imageSet = Fields.string(install, "spec", "imageSetRef", "name");
        assertThat(Fields.string(
                        admin.resources(ClusterImageSet.class)
                                .withName(imageSet)
                                .require(),
                        "spec",
                        "releaseImage"))
                .startsWith("quay.io/openshift-release-dev/ocp-release@sha256:");
        assertThat(admin.resources(InfraEnv.class).inNamespace(namespace).list().getItems())
                .hasSize(5);
        assertThat(admin.resources(Agent.class).inNamespace(namespace).list().getItems())
                .hasSize(5)
                .allSatisfy(agent ->
                        assertThat(Fields.isTrue(agent, "spec", "approved")).isTrue());
        assertThat(lab.machines(namespace)).hasSize(5).allSatisfy(this::isANode);
        assertThat(admin.resources(OpenshiftAssistedConfig.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(5)
                .allSatisfy(config -> {
                    assertThat(config.getStatus().initialization().dataSecretCreated())
                            .isTrue();
                    assertThat(config.getStatus().conditions())
                            .filteredOn(c -> c.type().equals("Ready"))
                            .extracting(Condition::status)
                            .containsExactly(Condition.TRUE);
                });
        Cluster cluster = admin.resources(Cluster.class)
                .inNamespace(namespace)
                .withName("multinode")
                .require();
        assertThat(ConditionView.isTrue(cluster, "Available")).isTrue();
    }

    private void isANode(Machine machine) {
        assertThat(Fields.string(machine, "status", "nodeRef", "name")).isNotEmpty();
        assertThat(Fields.string(machine, "spec", "providerID")).startsWith("metal3://");
    }

    @Test
    void thePublishedKubeconfig_opensTheInstalledCluster(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);

        Secret secret = lab.admin()
                .secrets()
                .inNamespace(namespace)
                .withName("multinode-kubeconfig")
                .require();

        assertThat(secret.getType()).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(secret.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/cluster-name", "multinode");
        String kubeconfig =
                new String(Base64.getDecoder().decode(secret.getData().get("value")), StandardCharsets.UTF_8);
        try (KubernetesClient workload = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build()) {
            List<Node> nodes = workload.nodes().list().getItems();
            assertThat(nodes)
                    .hasSize(5)
                    .allSatisfy(
                            node -> assertThat(node.getMetadata().getLabels()).containsKey("metal3.io/uuid"));
        }
    }

    @Test
    void atRest_andAfterARestartOfBothManagers_nothingIsWritten(WholeLab lab) throws InterruptedException {
        assumeTrue(lab.cluster().auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = lab.cluster().auditLog().orElseThrow();
        String namespace = lab.namespace(5);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        untilQuiet(lab, audit);

        AuditLog.Mark converged = audit.mark();
        Thread.sleep(REST);
        Map<String, Long> atRest = lab.writes(converged);
        lab.stopProviders();
        AuditLog.Mark restart = audit.mark();
        lab.startProviders();
        Thread.sleep(REST);

        assertThat(atRest).isEmpty();
        assertThat(lab.writes(restart))
                .as(
                        "%s",
                        audit.since(restart).stream()
                                .filter(AuditEntry::isWrite)
                                .map(AuditEntry::uri)
                                .toList())
                .isEmpty();
        assertThat(lab.writes(audit.start())).containsKeys(Provider.BOOTSTRAP.user(), Provider.CONTROL_PLANE.user());
    }

    /** The last status of this and other tests may still be pending. */
    private static void untilQuiet(WholeLab lab, AuditLog audit) {
        await().atMost(WholeLab.SOON).until(() -> {
            AuditLog.Mark mark = audit.mark();
            Thread.sleep(Duration.ofMillis(500));
            return lab.writes(mark).isEmpty();
        });
    }
}
