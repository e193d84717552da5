package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.workload.Workload;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Publishes the credentials of a cluster: kubeconfig and password Secrets, and their names in the AgentClusterInstall.
 */
final class ClusterCredentials {

    private static final String CLUSTER_LABEL = "hive.openshift.io/cluster-deployment-name";
    private static final String TYPE_LABEL = "hive.openshift.io/secret-type";

    private final Writes writes;

    ClusterCredentials(Writes writes) {
        this.writes = writes;
    }

    /** At the start of the installation: a kubeconfig for an API that is not available yet. */
    void publishKubeconfig(
            ClusterDeployment deployment, AgentClusterInstall install, ClusterRecord cluster, Workload workload) {
        put(kubeconfigSecret(deployment, workload.kubeconfig()));
        WholeInstall.write(writes, install, Map.of(), metadata(deployment, cluster, false));
    }

    /** At its end: replaces the kubeconfig by one with the CA of the routers, and adds the password. */
    void publishAll(
            ClusterDeployment deployment, AgentClusterInstall install, ClusterRecord cluster, Workload workload) {
        put(kubeconfigSecret(deployment, workload.kubeconfigWithIngress()));
        put(secret(
                deployment,
                "admin-password",
                "kubeadmincreds",
                Map.of("username", "kubeadmin", "password", workload.password())));
        WholeInstall.write(writes, install, Map.of(), metadata(deployment, cluster, true));
    }

    private void put(Secret secret) {
        if (!writes.create(secret)) {
            writes.patch(secret, Map.of("data", secret.getData()));
        }
    }

    private static Secret kubeconfigSecret(ClusterDeployment deployment, String kubeconfig) {
        return secret(deployment, "admin-kubeconfig", "kubeconfig", Map.of("kubeconfig", kubeconfig));
    }

    private static Secret secret(ClusterDeployment deployment, String suffix, String type, Map<String, String> values) {
        String name = deployment.getMetadata().getName();
        Map<String, String> data = new LinkedHashMap<>();
        values.forEach((key, value) ->
                data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(deployment.getMetadata().getNamespace())
                .withName(name + "-" + suffix)
                .withLabels(Map.of(CLUSTER_LABEL, name, TYPE_LABEL, type))
                .withOwnerReferences(Owned.reference(deployment))
                .endMetadata()
                .withType("Opaque")
                .withData(data)
                .build();
    }

    private static Map<String, Object> metadata(
            ClusterDeployment deployment, ClusterRecord cluster, boolean withPassword) {
        String name = deployment.getMetadata().getName();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("adminKubeconfigSecretRef", Map.of("name", name + "-admin-kubeconfig"));
        if (withPassword) {
            metadata.put("adminPasswordSecretRef", Map.of("name", name + "-admin-password"));
        }
        metadata.put("clusterID", cluster.openshiftId);
        metadata.put("infraID", cluster.id);
        return Map.of("clusterMetadata", metadata);
    }
}
