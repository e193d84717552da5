package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kind that this cluster does not serve.
 *
 * @param kind such as {@code AgentClusterInstall}
 * @param apiVersion the one that is needed
 * @param served other versions of it that are there
 * @param product what brings it, as a sentence's object
 */
public record MissingKind(String kind, String apiVersion, List<String> served, String product) {

    private static final Logger LOG = LoggerFactory.getLogger(MissingKind.class);

    /** By API group; the oldest Cluster API is the first whose contract is v1beta2. */
    private static final Map<String, String> PRODUCTS = Map.of(
            "cluster.x-k8s.io", "Cluster API v1.11 or later (clusterctl init --core cluster-api)",
            "agent-install.openshift.io", "assisted-service (the infrastructure operator; multicluster engine has it)",
            "extensions.hive.openshift.io",
                    "assisted-service (the infrastructure operator; multicluster engine has it)",
            "hive.openshift.io",
                    "Hive's CustomResourceDefinitions (multicluster engine and assisted-service bring them)",
            "metal3.io", "baremetal-operator",
            "infrastructure.cluster.x-k8s.io", "the infrastructure provider (clusterctl init --infrastructure metal3)",
            "bootstrap.cluster.x-k8s.io", "the bootstrap provider (clusterctl init --bootstrap openshift-assisted)",
            "controlplane.cluster.x-k8s.io",
                    "the control plane provider (clusterctl init --control-plane openshift-assisted)");

    public MissingKind {
        served = List.copyOf(served);
    }

    /** Asks the API server what it serves; empty when the kind is served, or when there is no answer. */
    static Optional<MissingKind> of(KubernetesClient client, Class<? extends HasMetadata> kind) {
        try {
            if (client.supports(kind)) {
                return Optional.empty();
            }
            APIGroup group = client.getApiGroup(HasMetadata.getGroup(kind));
            List<GroupVersionForDiscovery> versions = group == null ? List.of() : group.getVersions();
            return Optional.of(of(
                    kind,
                    versions.stream()
                            .filter(version -> client.supports(version.getGroupVersion(), HasMetadata.getKind(kind)))
                            .map(GroupVersionForDiscovery::getVersion)
                            .toList()));
        } catch (KubernetesClientException e) {
            LOG.debug("Whether {} is served is not known: {}", HasMetadata.getKind(kind), e.getMessage());
            return Optional.empty();
        }
    }

    /** Whether a version is served; without an answer it is not. */
    static boolean isServed(KubernetesClient client, String apiVersion, String kind) {
        try {
            return client.supports(apiVersion, kind);
        } catch (KubernetesClientException e) {
            LOG.debug("Whether {} {} is served is not known: {}", apiVersion, kind, e.getMessage());
            return false;
        }
    }

    /** With what is served of the kind, if anything is. */
    static MissingKind of(Class<? extends HasMetadata> kind, List<String> served) {
        String group = HasMetadata.getGroup(kind);
        return new MissingKind(
                HasMetadata.getKind(kind),
                HasMetadata.getApiVersion(kind),
                served,
                PRODUCTS.getOrDefault(group, "what brings API group " + group));
    }

    /** What is missing and what to install, without a dot at the end. */
    public String sentence() {
        return served.isEmpty()
                ? "kind %s (%s) is not installed: install %s".formatted(kind, apiVersion, product)
                : "kind %s is not served as %s, only as %s: upgrade to %s"
                        .formatted(kind, apiVersion, String.join(" and ", served), product);
    }
}
