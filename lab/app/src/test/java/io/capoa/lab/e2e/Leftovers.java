package io.capoa.lab.e2e;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Remaining objects of a deleted cluster. */
final class Leftovers {

    private static final Map<String, List<String>> KINDS = Map.of(
            "cluster.x-k8s.io/v1beta2", List.of("Cluster", "MachineDeployment", "MachineSet", "Machine"),
            "controlplane.cluster.x-k8s.io/v1beta1", List.of("OpenshiftAssistedControlPlane"),
            "bootstrap.cluster.x-k8s.io/v1beta1", List.of("OpenshiftAssistedConfig"),
            "infrastructure.cluster.x-k8s.io/v1beta2", List.of("Metal3Cluster", "Metal3Machine"),
            "agent-install.openshift.io/v1beta1", List.of("Agent", "InfraEnv"),
            "hive.openshift.io/v1", List.of("ClusterDeployment"),
            "extensions.hive.openshift.io/v1beta1", List.of("AgentClusterInstall"));

    private Leftovers() {}

    /** Kind and name of each object. */
    static List<String> of(KubernetesClient client, String namespace) {
        return KINDS.entrySet().stream()
                .flatMap(group ->
                        group.getValue().stream().flatMap(kind -> names(client, namespace, group.getKey(), kind)))
                .sorted()
                .toList();
    }

    private static Stream<String> names(KubernetesClient client, String namespace, String apiVersion, String kind) {
        return client.genericKubernetesResources(apiVersion, kind).inNamespace(namespace).list().getItems().stream()
                .map(object -> kind + " " + object.getMetadata().getName());
    }
}
