package io.capoa.lab.metal3;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels, annotations and finalizers of Metal3, and predicates on them. */
public final class Metal3 {

    /** Annotation of a Metal3Machine: {@code <namespace>/<name>} of its BareMetalHost. */
    public static final String HOST_ANNOTATION = "metal3.io/BareMetalHost";
    /** Label of a Node: UID of its BareMetalHost. */
    public static final String UUID_LABEL = "metal3.io/uuid";
    /** Label of a BareMetalHost: its failure domain. */
    public static final String FAILURE_DOMAIN = "infrastructure.cluster.x-k8s.io/failure-domain";
    /** Annotation of a BareMetalHost: baremetal-operator does not reconcile it. */
    public static final String HOST_PAUSED = "baremetalhost.metal3.io/paused";
    /** Value of that annotation when CAPM3 has set it, because the Cluster is paused. */
    static final String PAUSED_BY_CAPM3 = "metal3.io/capm3";
    /** Annotation of objects that clusterctl must not move yet (clusterctl's provider contract). */
    static final String BLOCK_MOVE = "clusterctl.cluster.x-k8s.io/block-move";
    /** Annotation of a BareMetalHost: its status, saved for a move to another management cluster. */
    static final String HOST_STATUS = "baremetalhost.metal3.io/status";
    /** Annotation of a BareMetalHost that must not be chosen. */
    public static final String UNHEALTHY = "capm3.metal3.io/unhealthy";
    /** Annotation of a BareMetalHost, {@code disabled}: no inspection; with another value, inspect an available host again. */
    public static final String INSPECT = "inspect.metal3.io";
    /**
     * Annotation of a BareMetalHost, the lab's own: an {@code errorType}, such as {@code provisioning error}, in which
     * steps of that kind fail while the annotation is set.
     */
    public static final String FAIL = "lab.capoa.io/fail";

    /** Annotation of a BareMetalHost: reboot; with a suffix after a slash, off until it is removed. */
    public static final String REBOOT = "reboot.metal3.io";
    /** Annotation of a BareMetalHost: detached until it is removed. */
    public static final String DETACHED = "baremetalhost.metal3.io/detached";

    static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";
    static final String CLUSTER_PAUSED = "cluster.x-k8s.io/paused";
    static final String CLUSTER_FINALIZER = "metal3cluster.infrastructure.cluster.x-k8s.io";
    static final String MACHINE_FINALIZER = "metal3machine.infrastructure.cluster.x-k8s.io";
    static final String HOST_FINALIZER = "baremetalhost.metal3.io";

    private Metal3() {}

    /** The provider ID of Node, Machine and Metal3Machine (CAPM3 1.13 and later). */
    public static String providerId(HasMetadata host, HasMetadata machine) {
        return "metal3://" + host.getMetadata().getNamespace() + "/"
                + host.getMetadata().getName() + "/" + machine.getMetadata().getName();
    }

    static boolean isDeleting(HasMetadata resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean isPaused(@Nullable GenericKubernetesResource cluster, HasMetadata resource) {
        return annotation(resource, CLUSTER_PAUSED) != null
                || (cluster != null && Fields.isTrue(cluster, "spec", "paused"));
    }

    /** An annotation; {@code null} without. */
    public static @Nullable String annotation(HasMetadata resource, String key) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(key);
    }

    static @Nullable String label(HasMetadata resource, String key) {
        Map<String, String> labels = resource.getMetadata().getLabels();
        return labels == null ? null : labels.get(key);
    }

    /** Name of the owner of that kind, controller or not. */
    static @Nullable String owner(HasMetadata resource, String kind) {
        return resource.getMetadata().getOwnerReferences().stream()
                .filter(o -> kind.equals(o.getKind()) && o.getApiVersion().startsWith("cluster.x-k8s.io/"))
                .map(OwnerReference::getName)
                .findFirst()
                .orElse(null);
    }

    static String state(GenericKubernetesResource host) {
        String state = Fields.string(host, "status", "provisioning", "state");
        return state == null ? "" : state;
    }
}
