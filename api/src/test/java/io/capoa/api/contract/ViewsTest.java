package io.capoa.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class ViewsTest {

    @Test
    void anAbsentOrEmptyObject_readsAsUnset() {
        MachineView machine = MachineView.of(null);
        assertThat(machine.nodeName()).isNull();
        assertThat(machine.infrastructureRef().isEmpty()).isTrue();
        assertThat(machine.bootstrap().configRef().name()).isNull();
        assertThat(machine.addresses()).isEmpty();
        assertThat(machine.isReady()).isFalse();
        assertThat(machine.isDeleting()).isFalse();
        assertThat(ClusterView.of(null).controlPlaneEndpoint()).isEmpty();
        assertThat(ClusterView.of(null).controlPlaneFailureDomains()).isEmpty();
        assertThat(ClusterDeploymentView.of(null).isInstalled()).isFalse();
        assertThat(ClusterImageSetView.of(null).releaseImage()).isNull();
        AgentClusterInstallView install = AgentClusterInstallView.of(null);
        assertThat(install.state()).isEmpty();
        assertThat(install.workerAgents()).isZero();
        assertThat(install.adminKubeconfigSecretName()).isNull();
        assertThat(install.completedAt()).isEmpty();
    }

    @Test
    void aFieldOfAnotherType_readsAsUnset() {
        MachineView machine = MachineView.of(read(Machine.class, """
                spec: {providerID: 7, infrastructureRef: none, bootstrap: {configRef: []}}
                status: {nodeRef: {name: ""}, addresses: [1, {type: 2}], conditions: {}}
                """));
        assertThat(machine.providerId()).isNull();
        assertThat(machine.infrastructureRef().isEmpty()).isTrue();
        assertThat(machine.bootstrap().configRef().isEmpty()).isTrue();
        assertThat(machine.nodeName()).isNull();
        assertThat(machine.addresses()).containsOnly(new MachineAddress("", ""));
        assertThat(machine.isReady()).isFalse();
    }

    @Test
    void aMachine() {
        MachineView machine = MachineView.of(read(Machine.class, """
                metadata: {name: m, deletionTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  clusterName: c
                  failureDomain: rack-1
                  providerID: metal3://a
                  bootstrap: {configRef: {apiGroup: g, kind: K, name: m}, dataSecretName: s}
                  infrastructureRef: {apiGroup: i, kind: M, name: n}
                status:
                  initialization: {infrastructureProvisioned: true}
                  nodeRef: {name: node}
                  nodeInfo: {kubeletVersion: v1.32.1}
                  addresses: [{type: InternalIP, address: 192.0.2.1}]
                  conditions: [{type: Ready, status: "True"}]
                """));
        assertThat(machine.clusterName()).isEqualTo("c");
        assertThat(machine.failureDomain()).isEqualTo("rack-1");
        assertThat(machine.providerId()).isEqualTo("metal3://a");
        assertThat(machine.bootstrap().configRef().isTo("g", "K")).isTrue();
        assertThat(machine.bootstrap().configRef().isTo("h", "K")).isFalse();
        assertThat(machine.bootstrap().dataSecretName()).isEqualTo("s");
        assertThat(machine.infrastructureRef().name()).isEqualTo("n");
        assertThat(machine.infrastructureRef().group()).isEqualTo("i");
        assertThat(machine.isInfrastructureProvisioned()).isTrue();
        assertThat(machine.nodeName()).isEqualTo("node");
        assertThat(machine.kubeletVersion()).isEqualTo("v1.32.1");
        assertThat(machine.addresses()).containsExactly(new MachineAddress("InternalIP", "192.0.2.1"));
        assertThat(machine.isReady()).isTrue();
        assertThat(machine.isDeleting()).isTrue();
    }

    @Test
    void aMachineDeployment_hasOneReplicaByDefault() {
        MachineGroupView group = MachineGroupView.of(read(MachineDeployment.class, """
                spec: {template: {spec: {bootstrap: {configRef: {kind: T}}}}}
                """));
        assertThat(group.replicas()).isOne();
        assertThat(group.bootstrap().configRef().kind()).isEqualTo("T");
        assertThat(MachineGroupView.of(read(MachineSet.class, "spec: {replicas: 0}"))
                        .replicas())
                .isZero();
    }

    @Test
    void aCluster() {
        ClusterView cluster = ClusterView.of(read(Cluster.class, """
                spec:
                  paused: true
                  controlPlaneRef: {name: cp}
                  controlPlaneEndpoint: {host: 192.0.2.9, port: 6443}
                  clusterNetwork: {pods: {cidrBlocks: [10.0.0.0/14]}, services: {cidrBlocks: [172.30.0.0/16]}}
                status:
                  initialization: {infrastructureProvisioned: true}
                  failureDomains: [{name: a, controlPlane: true}, {name: b, controlPlane: false}, {name: c}]
                """));
        assertThat(cluster.isPaused()).isTrue();
        assertThat(cluster.controlPlaneRef().name()).isEqualTo("cp");
        assertThat(cluster.controlPlaneEndpoint()).contains(new ClusterView.Endpoint("192.0.2.9", 6443));
        assertThat(cluster.podCidrs()).containsExactly("10.0.0.0/14");
        assertThat(cluster.serviceCidrs()).containsExactly("172.30.0.0/16");
        assertThat(cluster.isInfrastructureProvisioned()).isTrue();
        assertThat(cluster.controlPlaneFailureDomains()).containsExactly("a");
    }

    @Test
    void anEndpointWithPortZero_isNotSet() {
        Cluster cluster = read(Cluster.class, "spec: {controlPlaneEndpoint: {host: h, port: 0}}");
        assertThat(ClusterView.of(cluster).controlPlaneEndpoint()).isEmpty();
    }

    @Test
    void theInstallObjects() {
        AgentClusterInstallView install = AgentClusterInstallView.of(read(AgentClusterInstall.class, """
                spec:
                  imageSetRef: {name: image}
                  provisionRequirements: {controlPlaneAgents: 3, workerAgents: 2}
                  clusterMetadata: {adminKubeconfigSecretRef: {name: kubeconfig}}
                status:
                  debugInfo: {state: installed, stateInfo: done}
                  conditions:
                  - {type: Completed, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
                  - {type: Failed, status: "False"}
                  - {type: Stopped, status: "True", reason: InstallationCompleted}
                  - {type: SpecSynced, status: "False", reason: InputError}
                """));
        assertThat(install.imageSetName()).isEqualTo("image");
        assertThat(install.controlPlaneAgents()).isEqualTo(3);
        assertThat(install.workerAgents()).isEqualTo(2);
        assertThat(install.adminKubeconfigSecretName()).isEqualTo("kubeconfig");
        assertThat(install.state()).isEqualTo("installed");
        assertThat(install.stateInfo()).isEqualTo("done");
        assertThat(install.isCompleted()).isTrue();
        assertThat(install.completedAt()).contains("2026-01-01T00:00:00Z");
        assertThat(install.failed()).isEmpty();
        assertThat(install.stopped()).isPresent();
        assertThat(install.specSynced())
                .hasValueSatisfying(synced -> assertThat(synced.isTrue()).isFalse());

        ClusterDeploymentView deployment = ClusterDeploymentView.of(read(ClusterDeployment.class, """
                spec:
                  {clusterName: c, baseDomain: d, installed: true, clusterInstallRef: {name: i}, clusterMetadata: {x: y}}
                """));
        assertThat(deployment.clusterName()).isEqualTo("c");
        assertThat(deployment.baseDomain()).isEqualTo("d");
        assertThat(deployment.isInstalled()).isTrue();
        assertThat(deployment.installName()).isEqualTo("i");
        assertThat(deployment.clusterMetadata()).containsEntry("x", "y");
    }

    private static <R> R read(Class<R> kind, String yaml) {
        return new KubernetesSerialization().unmarshal(yaml, kind);
    }
}
