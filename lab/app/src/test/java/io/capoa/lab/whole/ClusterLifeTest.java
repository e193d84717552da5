package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderMetrics;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One life of a cluster with both providers: from one applied file to a Ready cluster, restarted managers, day 2, an
 * upgrade, and deletion. Each stage is lived once, and observed by its tests.
 */
@Tag("whole")
@Isolated("It counts the writes of the whole lab.")
@ExtendWith(WholeLab.Shared.class)
@TestInstance(Lifecycle.PER_CLASS)
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class ClusterLifeTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    /** Longer than most statuses are debounced. */
    private static final Duration REST = Duration.ofMillis(2500);

    private final WholeLab lab;
    private final String namespace;
    private final String strangers;
    private final Stages stages = new Stages();
    private AuditLog.Mark rested = new AuditLog.Mark(0);

    ClusterLifeTest(WholeLab lab) {
        this.lab = lab;
        this.namespace = lab.namespace(7);
        this.strangers = lab.namespace(0);
    }

    private static String withLateInfrastructure(String sample) {
        return sample.replace("kind: Metal3Cluster\nmetadata:\n  name: multinode", """
                kind: Metal3Cluster
                metadata:
                  name: multinode
                  annotations: {cluster.x-k8s.io/paused: ''}""");
    }

    @Nested
    @Order(1)
    @TestInstance(Lifecycle.PER_CLASS)
    class Installation {

        private Instant answer = Instant.EPOCH;
        private Map<Provider, ProviderMetrics> before = Map.of();
        private Map<Provider, ProviderMetrics> after = Map.of();

        @BeforeAll
        void install() throws Exception {
            stages.live(1, () -> {
                before = lab.metrics();
                lab.apply(namespace, ClusterLifeTest::withLateInfrastructure);
                await().atMost(WholeLab.SOON)
                        .untilAsserted(() -> assertThat(lab.condition(namespace, ControlPlaneConditions.AVAILABLE))
                                .map(Condition::reason)
                                .contains(ControlPlaneConditions.WAITING_FOR_CONTROL_PLANE_ENDPOINT));
                lab.unpause(namespace, "Metal3Cluster");
                lab.awaitReady(namespace);
                answer = lab.peers().registry().requests().latest();
                lab.awaitRest(namespace, REST);
                rested = lab.audit().mark();
                after = lab.metrics();
            });
        }

        @Test
        void oneFile_becomesAClusterOfThreeControlPlanesAndTwoWorkers() {
            OpenshiftAssistedControlPlaneStatus status =
                    lab.controlPlane(namespace).getStatus();
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
            assertThat(admin.resources(InfraEnv.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .hasSize(5);
            assertThat(admin.resources(Agent.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .hasSize(5)
                    .allSatisfy(agent ->
                            assertThat(Fields.isTrue(agent, "spec", "approved")).isTrue());
            assertThat(lab.machines(namespace)).hasSize(5).allSatisfy(machine -> {
                assertThat(Fields.string(machine, "status", "nodeRef", "name")).isNotEmpty();
                assertThat(Fields.string(machine, "spec", "providerID")).startsWith("metal3://");
            });
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

        @Test
        void thePublishedKubeconfig_opensTheInstalledCluster() {
            Secret secret = lab.admin()
                    .secrets()
                    .inNamespace(namespace)
                    .withName("multinode-kubeconfig")
                    .require();

            assertThat(secret.getType()).isEqualTo("cluster.x-k8s.io/secret");
            assertThat(secret.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/cluster-name", "multinode");
            try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
                assertThat(workload.nodes().list().getItems())
                        .hasSize(5)
                        .allSatisfy(node ->
                                assertThat(node.getMetadata().getLabels()).containsKey("metal3.io/uuid"));
            }
        }

        @Test
        void eachTransition_isOneLineOfTheLog() throws IOException {
            TransitionLines.assertOneForEachTransition(lab, namespace);
        }

        @Test
        void threeOrFourWritesAndLastingStatusesOfAMachine_suffice_noneIsRefused_noneIsWithoutEffect() {
            WritesPerMachine.assertFew(lab, log(), namespace);
        }

        @Test
        void theClusterCosts_noMoreWritesThanItNeeds_andNoneIsIdle() {
            Cost.assertLow(log(), namespace);
        }

        @ParameterizedTest
        @EnumSource(Provider.class)
        void theClusterCosts_noMoreReconcilesAndBytesThanBefore(Provider provider) {
            Cost.assertBounded(provider, after.get(provider).since(before.get(provider)));
        }

        @Test
        void theInstalledClusterIsAsked_seldomAndOnFewConnections() {
            Cost.assertBounded(lab.simulated(namespace).use("capoa-controlplane"));
        }

        @Test
        void everyWait_endsWithItsCause_alsoForLateInfrastructure() {
            Reactions.assertPrompt(log(), answer, namespace);
        }
    }

    @Nested
    @Order(2)
    @TestInstance(Lifecycle.PER_CLASS)
    class Rest {

        @Test
        void atRest_andAfterARestartOfBothManagers_nothingIsWritten() throws Exception {
            stages.live(2, () -> {
                assertNoWrites(rested);
                lab.stopProviders();
                AuditLog.Mark restart = lab.audit().mark();
                lab.startProviders();
                awaitReconciled();
                assertNoWrites(restart);
                assertThat(lab.writes(lab.audit().start()))
                        .extracting(AuditEntry::user)
                        .contains(Provider.BOOTSTRAP.user(), Provider.CONTROL_PLANE.user());
            });
        }

        /** Waits for the statuses of new objects, which are reconciled and debounced after those of the cluster. */
        private void awaitReconciled() {
            lab.apply(strangers, """
                    apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                    kind: OpenshiftAssistedControlPlane
                    metadata: {name: stranger}
                    spec:
                      distributionVersion: 4.20.3
                      replicas: 3
                      machineTemplate:
                        spec:
                          infrastructureRef:
                            {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: stranger}
                      config: {baseDomain: lab.example}
                    ---
                    apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                    kind: OpenshiftAssistedConfig
                    metadata: {name: stranger}
                    spec: {}
                    """);
            await().atMost(WholeLab.SOON).untilAsserted(() -> {
                assertThat(lab.condition(strangers, "stranger", "Ready")).isPresent();
                assertThat(lab.admin()
                                .resources(OpenshiftAssistedConfig.class)
                                .inNamespace(strangers)
                                .withName("stranger")
                                .require()
                                .getStatus())
                        .isNotNull();
            });
        }

        private void assertNoWrites(AuditLog.Mark since) {
            assertThat(lab.writes(since))
                    .filteredOn(write -> !write.namespace().equals(strangers))
                    .extracting(write -> write.user() + " " + write.verb() + " " + write.uri())
                    .isEmpty();
        }
    }

    @Nested
    @Order(3)
    @TestInstance(Lifecycle.PER_CLASS)
    class DayTwo {

        @Test
        void aControlPlaneAndAWorkerMore_andBothLess_keepTheOtherMachines() throws Exception {
            stages.live(3, () -> {
                Map<String, String> first = Upgrades.uids(lab, namespace);
                scale(4, 3);
                await().atMost(WholeLab.SOON)
                        .until(() -> lab.controlPlane(namespace).getStatus().readyReplicas() == 4);
                awaitMachines(7);
                assertThat(Upgrades.uids(lab, namespace)).containsAllEntriesOf(first);

                scale(3, 2);
                await().atMost(WholeLab.SOON)
                        .until(() -> lab.controlPlane(namespace).getStatus().replicas() == 3);
                awaitMachines(5);
                for (String scaling : List.of("ScalingUp", "ScalingDown")) {
                    assertThat(lab.condition(namespace, scaling).orElseThrow().status())
                            .isEqualTo(Condition.FALSE);
                }
                assertThat(lab.condition(namespace, "Available").orElseThrow().status())
                        .isEqualTo(Condition.TRUE);
            });
        }

        private void scale(int controlPlanes, int workers) {
            lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":%d}}".formatted(controlPlanes));
            var unused = lab.admin()
                    .resources(MachineDeployment.class)
                    .inNamespace(namespace)
                    .withName("multinode-worker")
                    .patch(MERGE, "{\"spec\":{\"replicas\":%d}}".formatted(workers));
        }

        private void awaitMachines(int count) {
            await().atMost(WholeLab.SOON)
                    .untilAsserted(() -> assertThat(lab.machines(namespace)).hasSize(count));
            lab.awaitReady(namespace);
            try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
                await().atMost(WholeLab.SOON)
                        .untilAsserted(() ->
                                assertThat(workload.nodes().list().getItems()).hasSize(count));
            }
        }
    }

    @Nested
    @Order(4)
    @TestInstance(Lifecycle.PER_CLASS)
    class Upgrade {

        @Test
        void overAMinorVersion_replacesNoMachine_touchesNoHost_andAsksOnce() throws Exception {
            stages.live(4, () -> {
                Map<String, String> machines = Upgrades.uids(lab, namespace);
                Map<String, Long> hosts = Upgrades.hostGenerations(lab, namespace);
                try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
                    await().atMost(WholeLab.SOON)
                            .until(() -> !Upgrades.generation(workload).equals(0L));
                    long asked = Upgrades.generation(workload);
                    Upgrades.upgrade(lab, namespace, "4.21.1", ",\"upgrade\":{\"channel\":\"stable-4.21\"}");
                    Upgrades.awaitRunning(lab, namespace, "4.21.1");

                    assertThat(Upgrades.generation(workload))
                            .as("a request and a change of the channel, neither of them twice")
                            .isEqualTo(asked + 2);
                    assertThat(Upgrades.versions(workload)).containsExactly("Completed 4.21.1", "Completed 4.20.3");
                }
                lab.awaitReady(namespace);
                assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
                assertThat(Upgrades.hostGenerations(lab, namespace)).isEqualTo(hosts);
            });
        }
    }

    @Nested
    @Order(5)
    @TestInstance(Lifecycle.PER_CLASS)
    class Deletion {

        @BeforeAll
        void delete() throws Exception {
            stages.live(5, () -> {
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
                                .isEmpty());
            });
        }

        @Test
        void everythingIsDeleted_withTheCluster() {
            assertThat(lab.machines(namespace)).isEmpty();
            assertThat(lab.admin()
                            .resources(OpenshiftAssistedControlPlane.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .isEmpty();
        }

        @Test
        void whatTheRolesGrant_isWhatTheProvidersHaveUsed() {
            Rights.assertFit(log());
        }
    }

    private List<AuditEntry> log() {
        return lab.audit().since(lab.audit().start());
    }
}
