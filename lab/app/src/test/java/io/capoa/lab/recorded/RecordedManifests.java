package io.capoa.lab.recorded;

import io.capoa.api.Labels;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Objects of a recorded cluster: those of the shipped samples, with the recorded names. */
final class RecordedManifests {

    private static final Map<String, String> KINDS = Map.of(
            "Cluster", "Cluster",
            "OACP", "OpenshiftAssistedControlPlane",
            "MD", "MachineDeployment");

    private final String cluster;
    private final List<GenericKubernetesResource> sample;

    RecordedManifests(String cluster) {
        this.cluster = cluster;
        String name = cluster.equals("live-iso") ? "live-iso" : "multinode";
        try {
            String yaml = Files.readString(ProjectRoot.find().resolve("config/samples/" + name + ".yaml"));
            String mine = cluster.equals("sno") ? singleNode(yaml) : yaml;
            sample = Arrays.stream(mine.replace("name: " + name, "name: " + cluster)
                            .replace("clusterName: " + name, "clusterName: " + cluster)
                            .replace("cluster-name: " + name, "cluster-name: " + cluster)
                            .replace("deployment-name: " + name, "deployment-name: " + cluster)
                            .split("\n---\n"))
                    .filter(document -> document.contains("kind:"))
                    .map(document -> Serialization.unmarshal(document, GenericKubernetesResource.class))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String singleNode(String yaml) {
        return yaml.replace("replicas: 3", "replicas: 1")
                .replaceAll(" *apiVIPs: .*\n", "")
                .replaceAll(" *ingressVIPs: .*\n", "");
    }

    /** Objects that exist before the recording: templates and Secrets. */
    List<GenericKubernetesResource> before() {
        return sample.stream()
                .filter(object -> !KINDS.containsValue(object.getKind()))
                .toList();
    }

    /** The user's object of that kind. */
    List<GenericKubernetesResource> user(String kind) {
        return sample.stream()
                .filter(object -> object.getKind().equals(KINDS.get(kind)))
                .toList();
    }

    GenericKubernetesResource host(String name) {
        return read("""
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: %s}
            spec: {online: true, bootMACAddress: "%s"}
            """.formatted(name, mac(name)));
    }

    Map<String, Object> inventory(String host) {
        return Map.of(
                "hostname",
                host,
                "interfaces",
                List.of(Map.of(
                        "macAddress",
                        mac(host),
                        "flags",
                        List.of(),
                        "ipV4Addresses",
                        List.of(),
                        "ipV6Addresses",
                        List.of())));
    }

    /** The objects of a MachineSet's replica. */
    List<GenericKubernetesResource> worker(String name) {
        String of = """
            metadata:
              name: %1$s
              labels: {cluster.x-k8s.io/cluster-name: %2$s, cluster.x-k8s.io/deployment-name: %2$s-worker, %3$s: %2$s-worker-set}
            """.formatted(name, cluster, Labels.SET_NAME);
        boolean iso = cluster.equals("live-iso");
        return List.of(
                read("apiVersion: bootstrap.cluster.x-k8s.io/v1beta1\nkind: OpenshiftAssistedConfig\n" + of
                        + "spec: {pullSecretRef: {name: pull-secret}, hostnamePolicy: HostName}"),
                read("apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: Metal3Machine\n" + of
                        + (iso
                                ? "spec: {image: {url: 'http://images.lab.example/placeholder', diskFormat:"
                                        + " live-iso}}"
                                : "spec: {image: {url: 'http://images.lab.example/a', checksum:"
                                        + " 'http://images.lab.example/b', checksumType: sha256, diskFormat:"
                                        + " qcow2}}")),
                read("apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\n" + of + """
                    spec:
                      clusterName: %2$s
                      version: v1.33.5
                      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s}}
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s}
                    """.formatted(name, cluster)));
    }

    /** The Agent of a registered host. */
    GenericKubernetesResource agent(String name, InfraEnv infraEnv) {
        return read("""
            apiVersion: agent-install.openshift.io/v1beta1
            kind: Agent
            metadata:
              name: %1$s
              labels: {%2$s: %3$s}
              ownerReferences: [{apiVersion: agent-install.openshift.io/v1beta1, kind: InfraEnv, name: %3$s, uid: %4$s}]
            spec: {approved: false, role: "", clusterDeploymentName: {name: %5$s, namespace: %6$s}}
            """.formatted(
                        name,
                        Labels.INFRA_ENV,
                        infraEnv.getMetadata().getName(),
                        infraEnv.getMetadata().getUid(),
                        cluster,
                        infraEnv.getMetadata().getNamespace()));
    }

    /** The kubeconfig Secret of assisted-service; its API server does not exist. */
    GenericKubernetesResource kubeconfig(String deployment) {
        String config = """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """;
        return read(
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: %s-admin-kubeconfig}
                data: {kubeconfig: %s}
                """.formatted(deployment, Base64.getEncoder().encodeToString(config.getBytes(StandardCharsets.UTF_8))));
    }

    private static String mac(String host) {
        return "02:00:00:00:%02x:%02x".formatted((host.hashCode() >> 8) & 0xff, host.hashCode() & 0xff);
    }

    private static GenericKubernetesResource read(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }
}
