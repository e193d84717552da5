package io.capoa.lab;

import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.progress.Clusters;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * A namespace of a running lab.
 *
 * @param clusters the progress of all clusters, started
 */
public record LabNamespace(TestCluster cluster, Peers peers, Clusters clusters, String name) {

    public KubernetesClient admin() {
        return cluster.admin();
    }

    /** Applies manifests as {@code kubectl apply} does. */
    public void apply(String manifests) {
        List<HasMetadata> objects = admin().load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                .items();
        for (HasMetadata object : objects) {
            admin().resource(object)
                    .inNamespace(name)
                    .fieldManager("kubectl")
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    /** The progress of the namespace's clusters. */
    public List<ClusterRow> rows() {
        return clusters.rows().stream()
                .filter(row -> row.namespace().equals(name))
                .toList();
    }

    public List<Machine> machines() {
        return admin().resources(Machine.class).inNamespace(name).list().getItems();
    }

    /** A client of a workload cluster, with the kubeconfig that Cluster API knows; the caller closes it. */
    public KubernetesClient workload(String clusterName) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        new String(Base64.getDecoder().decode(kubeconfig(clusterName)), StandardCharsets.UTF_8)))
                .build();
    }

    /** The kubeconfig that Cluster API knows, in base64. */
    public String kubeconfig(String clusterName) {
        return Objects.requireNonNull(admin().secrets()
                .inNamespace(name)
                .withName(clusterName + "-kubeconfig")
                .require()
                .getData()
                .get("value"));
    }
}
