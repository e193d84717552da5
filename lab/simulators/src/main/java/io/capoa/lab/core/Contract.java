package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels, annotations and finalizers of Cluster API v1beta2, and predicates on them. */
final class Contract {

    static final String GROUP = "cluster.x-k8s.io";
    static final String CLUSTER_NAME = GROUP + "/cluster-name";
    static final String CONTROL_PLANE = GROUP + "/control-plane";
    static final String CONTROL_PLANE_NAME = GROUP + "/control-plane-name";
    static final String DEPLOYMENT_NAME = GROUP + "/deployment-name";
    static final String SET_NAME = GROUP + "/set-name";
    static final String PAUSED = GROUP + "/paused";
    static final String DELETE_MACHINE = GROUP + "/delete-machine";
    static final String REMEDIATE_MACHINE = GROUP + "/remediate-machine";
    static final String SKIP_REMEDIATION = GROUP + "/skip-remediation";
    static final String CLONED_FROM_NAME = GROUP + "/cloned-from-name";
    static final String CLONED_FROM_GROUP_KIND = GROUP + "/cloned-from-groupkind";
    static final String SKIP_PREFLIGHT = "machineset." + GROUP + "/skip-preflight-checks";
    static final String PRE_DRAIN_HOOK = "pre-drain.delete.hook.machine." + GROUP;
    static final String EXCLUDE_NODE_DRAINING = "machine." + GROUP + "/exclude-node-draining";
    static final String PRE_TERMINATE_HOOK = "pre-terminate.delete.hook.machine." + GROUP;

    static final String CLUSTER_FINALIZER = "cluster." + GROUP;
    static final String MACHINE_FINALIZER = "machine." + GROUP;
    static final String MACHINE_SET_FINALIZER = GROUP + "/machineset";
    static final String MACHINE_DEPLOYMENT_FINALIZER = GROUP + "/machinedeployment";

    private Contract() {}

    static boolean isDeleting(HasMetadata resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean isControlPlaneMachine(HasMetadata machine) {
        return label(machine, CONTROL_PLANE) != null;
    }

    static @Nullable String label(HasMetadata resource, String key) {
        Map<String, String> labels = resource.getMetadata().getLabels();
        return labels == null ? null : labels.get(key);
    }

    static boolean hasAnnotation(HasMetadata resource, String key) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(key);
    }

    /** Annotations that begin with the prefix, as lifecycle hooks do; sorted. */
    static List<String> hooks(HasMetadata resource, String prefix) {
        Map<String, String> annotations = resource.getMetadata().getAnnotations();
        return annotations == null
                ? List.of()
                : annotations.keySet().stream()
                        .filter(key -> key.startsWith(prefix))
                        .sorted()
                        .toList();
    }

    /** Whether the Cluster or the object itself is paused. */
    static boolean isPaused(@Nullable GenericKubernetesResource cluster, HasMetadata resource) {
        return (cluster != null && Fields.isTrue(cluster, "spec", "paused")) || hasAnnotation(resource, PAUSED);
    }

    static @Nullable OwnerReference controllerOf(HasMetadata resource) {
        return resource.getMetadata().getOwnerReferences().stream()
                .filter(o -> Boolean.TRUE.equals(o.getController()))
                .findFirst()
                .orElse(null);
    }

    static boolean isControlledBy(HasMetadata resource, HasMetadata owner) {
        OwnerReference controller = controllerOf(resource);
        return controller != null
                && controller.getUid().equals(owner.getMetadata().getUid());
    }

    static OwnerReference controller(HasMetadata owner) {
        return new OwnerReferenceBuilder(owner(owner))
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    static OwnerReference owner(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .build();
    }
}
