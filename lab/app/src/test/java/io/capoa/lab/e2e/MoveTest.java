package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.ClusterctlInstallation;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.metal3.Metal3Simulator;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code clusterctl move} of an installed cluster to a management cluster without its assisted-service objects. */
@Tag("e2e")
@OnRealLab
class MoveTest {

    @TempDir
    private Path folder;

    @Test
    void everythingArrives_andTheStatusIsDerivedAgain_withoutAnAgentClusterInstall(RealLab lab) throws Exception {
        String namespace = lab.namespace(4);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 1"));
        lab.awaitAvailable(namespace, "multinode", 4);
        State before = State.of(lab.admin(), namespace);

        try (LocalCluster target = LocalCluster.builder().state(folder).start();
                ClusterctlInstallation installed = ClusterctlInstallation.prepare(
                        ManagementCluster.on(target),
                        Binaries.ofThisProcess(),
                        lab.clusterctl().repository(),
                        folder,
                        MoveTest::say,
                        provider -> provider.program(ProjectRoot.find()))) {
            installed.mirrors(lab.peers().registry().registriesConf());
            var unused = installed.clusterctl().init();
            target.admin()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
            try (KubernetesClient client = target.clientOf(KnownUsers.METAL3);
                    Metal3Simulator metal3 = new Metal3Simulator(client, Delays.none())) {
                metal3.start();
                lab.clusterctl()
                        .run("move", "--namespace=" + namespace, "--to-kubeconfig=" + target.adminKubeconfig())
                        .orThrow();
                assertArrived(target.admin(), namespace, before);
                assertThat(Leftovers.of(lab.admin(), namespace))
                        .noneMatch(object -> object.startsWith("Machine ") || object.startsWith("Cluster "));
            }
        }
    }

    private static void assertArrived(KubernetesClient target, String namespace, State before) {
        await().atMost(RealLab.SOON).untilAsserted(() -> {
            OpenshiftAssistedControlPlane controlPlane = target.resources(OpenshiftAssistedControlPlane.class)
                    .inNamespace(namespace)
                    .withName("multinode")
                    .require();
            assertThat(Optional.ofNullable(controlPlane.getStatus())
                            .map(OpenshiftAssistedControlPlaneStatus::initialization)
                            .map(OpenshiftAssistedControlPlaneStatus.Initialization::controlPlaneInitialized))
                    .contains(true);
            assertThat(controlPlane.getStatus().version()).isEqualTo("v1.33.5");
            assertThat(controlPlane.getStatus().conditions())
                    .anyMatch(condition -> condition.type().equals("Available")
                            && condition.status().equals("True"));
            assertThat(target.resources(OpenshiftAssistedConfig.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .hasSize(4)
                    .allSatisfy(config -> assertThat(Optional.ofNullable(config.getStatus())
                                    .map(OpenshiftAssistedConfigStatus::initialization)
                                    .map(OpenshiftAssistedConfigStatus.Initialization::dataSecretCreated))
                            .contains(true));
            assertThat(target.resources(Machine.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .hasSize(4)
                    .allMatch(machine -> ConditionView.isTrue(machine, "Ready"));
        });
        assertThat(target.resources(Machine.class).inNamespace(namespace).list().getItems())
                .extracting(machine -> machine.getMetadata().getName())
                .containsExactlyElementsOf(before.machines().keySet());
        SortedMap<String, Map<String, String>> arrived = State.secretsOf(target, namespace);
        assertThat(arrived).containsAllEntriesOf(before.ofProviders());
        assertThat(target.genericKubernetesResources("extensions.hive.openshift.io/v1beta1", "AgentClusterInstall")
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .isEmpty();
    }

    private static void say(String line) {
        System.err.println(line);
    }
}
