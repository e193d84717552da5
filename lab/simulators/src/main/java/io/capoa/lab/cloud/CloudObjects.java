package io.capoa.lab.cloud;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Predicates of Cluster API's infrastructure contract. */
final class CloudObjects {

    private static final String PAUSED = "cluster.x-k8s.io/paused";
    private static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    private CloudObjects() {}

    static boolean isDeleting(HasMetadata resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean isPaused(@Nullable Cluster cluster, HasMetadata resource) {
        return Objects.requireNonNullElse(resource.getMetadata().getAnnotations(), Map.<String, String>of())
                        .containsKey(PAUSED)
                || (cluster != null && Fields.isTrue(cluster, "spec", "paused"));
    }

    /** Name of the owner of that kind of Cluster API. */
    static Optional<String> owner(HasMetadata resource, String kind) {
        return resource.getMetadata().getOwnerReferences().stream()
                .filter(owner ->
                        owner.getKind().equals(kind) && owner.getApiVersion().startsWith("cluster.x-k8s.io/"))
                .map(OwnerReference::getName)
                .findFirst();
    }

    /** Name of its Cluster, which core sets as a label; empty before. */
    static String clusterName(HasMetadata resource) {
        return Objects.requireNonNullElse(resource.getMetadata().getLabels(), Map.<String, String>of())
                .getOrDefault(CLUSTER_NAME, "");
    }
}
