package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("prepared clusters of one test")
class PreparedClustersTest {

    private static final String KIND = "openshiftassistedcontrolplanes.controlplane.cluster.x-k8s.io";

    @Test
    void clusters_startFromTheSameData_andChangeTheirOwnCopy() {
        try (LocalCluster first = PreparedClusters.start()) {
            first.admin()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("of-the-first")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .create();
            try (LocalCluster second = PreparedClusters.start();
                    KubernetesClient provider = second.clientOf(KnownUsers.CONTROL_PLANE_PROVIDER)) {
                assertThat(uidOfKind(second.admin()))
                        .as("created once, then taken from the saved data")
                        .isEqualTo(uidOfKind(first.admin()));
                assertThat(provider.genericKubernetesResources(
                                        "controlplane.cluster.x-k8s.io/v1beta1", "OpenshiftAssistedControlPlane")
                                .inAnyNamespace()
                                .list()
                                .getItems())
                        .as("readable with the provider's rights")
                        .isEmpty();
                assertThat(second.admin()
                                .configMaps()
                                .inNamespace("default")
                                .withName("of-the-first")
                                .get())
                        .isNull();
            }
        }
    }

    @Test
    void aStartedCluster_hasTheAdmissionOfAssistedService_fromItsFirstRequestOn() {
        try (LocalCluster cluster = PreparedClusters.start()) {
            GenericKubernetesResource made = cluster.admin()
                    .resource(Serialization.unmarshal("""
                            apiVersion: extensions.hive.openshift.io/v1beta1
                            kind: AgentClusterInstall
                            metadata: {name: demo}
                            spec:
                              clusterDeploymentRef: {name: demo}
                              networking: {}
                              provisionRequirements: {controlPlaneAgents: 1}
                            """, GenericKubernetesResource.class))
                    .inNamespace("default")
                    .create();

            assertThat(made.<Boolean>get("spec", "networking", "userManagedNetworking"))
                    .isTrue();
        }
    }

    private static String uidOfKind(KubernetesClient client) {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(KIND)
                .require()
                .getMetadata()
                .getUid();
    }
}
