package io.capoa.lab.hostile;

import io.capoa.api.contract.Cluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/** A namespace with a Cluster {@code demo}, whose infrastructure is ready, and what its control planes refer to. */
final class Tenant {

    private final KubernetesClient admin;
    private final String namespace;

    private Tenant(KubernetesClient admin, String namespace) {
        this.admin = admin;
        this.namespace = namespace;
    }

    static Tenant create(KubernetesClient admin, String namespace) {
        Tenant tenant = new Tenant(admin, namespace);
        tenant.create("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}".formatted(namespace));
        tenant.create("""
                apiVersion: v1
                kind: Secret
                metadata: {name: pull-secret}
                stringData: {.dockerconfigjson: '{"auths":{"quay.io":{"auth":"YTpi"}}}'}
                """);
        tenant.create("""
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                kind: Metal3MachineTemplate
                metadata: {name: hosts}
                spec: {template: {spec: {image: {url: 'http://images.lab.example/a', checksum: 'http://images.lab.example/b', checksumType: sha256, diskFormat: qcow2}}}}
                """);
        return tenant;
    }

    /** With the Cluster of that name. */
    void controlPlane(String name, String annotations, String config) {
        GenericKubernetesResource cluster = create("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s}
                spec:
                  controlPlaneEndpoint: {host: api.%1$s.lab.example, port: 6443}
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: %1$s}
                """.formatted(name));
        resource(Cluster.class, name)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"initialization\":{\"infrastructureProvisioned\":true}}}");
        create("""
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata:
                  name: %1$s
                  annotations: {%2$s}
                  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, name: %1$s, uid: %3$s}]
                spec:
                  distributionVersion: 4.20.3
                  replicas: 1
                  machineTemplate:
                    spec:
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: hosts}
                  config:
                    baseDomain: lab.example
                    pullSecretRef: {name: pull-secret}
                    %4$s
                  openshiftAssistedConfigSpec: {pullSecretRef: {name: pull-secret}}
                """.formatted(
                        name,
                        annotations,
                        cluster.getMetadata().getUid(),
                        config.indent(4).strip()));
    }

    GenericKubernetesResource create(String yaml) {
        return create(Serialization.unmarshal(yaml, GenericKubernetesResource.class));
    }

    <R extends HasMetadata> R create(R object) {
        object.getMetadata().setNamespace(object.getKind().equals("Namespace") ? null : namespace);
        return admin.resource(object).create();
    }

    <R extends HasMetadata> Resource<R> resource(Class<R> kind, String name) {
        return admin.resources(kind).inNamespace(namespace).withName(name);
    }

    <R extends HasMetadata> List<R> list(Class<R> kind) {
        return admin.resources(kind).inNamespace(namespace).list().getItems();
    }

    <R extends HasMetadata> void merge(Class<R> kind, String name, String patch) {
        R unused = resource(kind, name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }
}
