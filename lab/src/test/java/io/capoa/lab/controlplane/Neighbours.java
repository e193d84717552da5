package io.capoa.lab.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/** Plays user, Cluster API and assisted-service for one cluster in a namespace of its own. */
final class Neighbours {

    static final String NAME = "one";

    final String namespace = "acp-" + UUID.randomUUID().toString().substring(0, 8);
    final KubernetesClient client;

    Neighbours(TestCluster cluster) {
        client = cluster.admin();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    void pullSecret() {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("pull-secret")
                        .endMetadata()
                        .addToStringData(".dockerconfigjson", "{\"auths\":{\"quay.io\":{\"auth\":\"YTpi\"}}}")
                        .build())
                .create();
    }

    void template() {
        apply("""
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                kind: Metal3MachineTemplate
                metadata:
                  name: one-controlplane
                spec:
                  template:
                    spec:
                      image:
                        url: http://images.lab.example/rhcos.qcow2
                        checksum: http://images.lab.example/rhcos.qcow2.sha256
                        checksumType: sha256
                        diskFormat: qcow2
                """);
    }

    /** A Cluster whose infrastructure is there, and its control plane of three. */
    OpenshiftAssistedControlPlane controlPlane() {
        apply("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata:
                  name: one
                spec:
                  clusterNetwork:
                    pods: {cidrBlocks: [172.18.0.0/20]}
                    services: {cidrBlocks: [10.96.0.0/12]}
                  controlPlaneEndpoint: {host: api.one.lab.example, port: 6443}
                  controlPlaneRef:
                    apiGroup: controlplane.cluster.x-k8s.io
                    kind: OpenshiftAssistedControlPlane
                    name: one
                """);
        status(
                client.resources(Cluster.class)
                        .inNamespace(namespace)
                        .withName(NAME)
                        .require(),
                "{\"status\":{\"initialization\":{\"infrastructureProvisioned\":true}}}");
        String uid = client.resources(Cluster.class)
                .inNamespace(namespace)
                .withName(NAME)
                .require()
                .getMetadata()
                .getUid();
        apply("""
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata:
                  name: one
                  ownerReferences:
                  - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: one, uid: %s, controller: true}
                spec:
                  distributionVersion: 4.20.3
                  replicas: 3
                  machineTemplate:
                    spec:
                      infrastructureRef:
                        apiGroup: infrastructure.cluster.x-k8s.io
                        kind: Metal3MachineTemplate
                        name: one-controlplane
                  config:
                    baseDomain: lab.example
                    apiVIPs: [192.0.2.10]
                    ingressVIPs: [192.0.2.11]
                    pullSecretRef: {name: pull-secret}
                  openshiftAssistedConfigSpec:
                    pullSecretRef: {name: pull-secret}
                """.formatted(uid));
        return current();
    }

    /** An AgentClusterInstall as an earlier provider left it, with a ClusterImageSet of its own plain name. */
    void installOf(OpenshiftAssistedControlPlane controlPlane, String imageSet) {
        apply("""
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata:
                  name: %1$s
                  ownerReferences:
                  - {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: OpenshiftAssistedControlPlane, name: %1$s, uid: %2$s}
                spec:
                  clusterDeploymentRef: {name: %1$s}
                  imageSetRef: {name: %3$s}
                  networking: {}
                  provisionRequirements: {controlPlaneAgents: 3}
                """.formatted(
                controlPlane.getMetadata().getName(), controlPlane.getMetadata().getUid(), imageSet));
    }

    OpenshiftAssistedControlPlane current() {
        return client.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName(NAME)
                .require();
    }

    List<Machine> machines() {
        return client.resources(Machine.class).inNamespace(namespace).list().getItems();
    }

    AgentClusterInstall install() {
        return client.resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .withName(NAME)
                .get();
    }

    Secret kubeconfig() {
        return client.secrets()
                .inNamespace(namespace)
                .withName("one-kubeconfig")
                .get();
    }

    /** assisted-service publishes or replaces the administrator's kubeconfig. */
    void publishKubeconfig(String content) {
        String uid = client.genericKubernetesResources("hive.openshift.io/v1", "ClusterDeployment")
                .inNamespace(namespace)
                .withName(NAME)
                .require()
                .getMetadata()
                .getUid();
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("one-admin-kubeconfig")
                        .addToLabels("hive.openshift.io/secret-type", "kubeconfig")
                        .addNewOwnerReference()
                        .withApiVersion("hive.openshift.io/v1")
                        .withKind("ClusterDeployment")
                        .withName(NAME)
                        .withUid(uid)
                        .endOwnerReference()
                        .endMetadata()
                        .addToData("kubeconfig", Base64.getEncoder().encodeToString(content.getBytes(UTF_8)))
                        .build())
                .fieldManager("assisted-service")
                .serverSideApply();
        merge(install(), """
                {"spec":{"clusterMetadata":{"adminKubeconfigSecretRef":{"name":"one-admin-kubeconfig"},
                 "clusterID":"a","infraID":"b"}}}""");
    }

    void installState(String state) {
        status(install(), "{\"status\":{\"debugInfo\":{\"state\":\"%s\"}}}".formatted(state));
    }

    void merge(HasMetadata object, String patch) {
        client.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    void status(HasMetadata object, String patch) {
        client.resource(object).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private void apply(String yaml) {
        GenericKubernetesResource object =
                client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
        object.getMetadata().setNamespace(namespace);
        client.resource(object).create();
    }
}
