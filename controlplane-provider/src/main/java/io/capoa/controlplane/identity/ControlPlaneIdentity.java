package io.capoa.controlplane.identity;

import io.capoa.api.Labels;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.MachineTemplate;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which control plane of which Cluster an object belongs to: everything that names, labels and owns it.
 *
 * @param controlPlane as read from the API server
 * @param clusterName name of the Cluster that owns the control plane, in the same namespace
 */
public record ControlPlaneIdentity(OpenshiftAssistedControlPlane controlPlane, String clusterName) {

    public String namespace() {
        return controlPlane.getMetadata().getNamespace();
    }

    public String name() {
        return controlPlane.getMetadata().getName();
    }

    public String uid() {
        return controlPlane.getMetadata().getUid();
    }

    /** Name of the OpenShift cluster: {@code spec.config.clusterName}, else the Cluster's name. */
    public String openshiftClusterName() {
        ClusterConfig config = controlPlane.getSpec().config();
        String override = config == null ? null : config.clusterName();
        return override == null || override.isEmpty() ? clusterName : override;
    }

    /** The reference by which an object belongs to the control plane without being controlled by it. */
    public OwnerReference owner() {
        return reference().build();
    }

    /** The reference by which the control plane controls an object. */
    public OwnerReference controller() {
        return reference().withController(true).withBlockOwnerDeletion(true).build();
    }

    private OwnerReferenceBuilder reference() {
        return new OwnerReferenceBuilder()
                .withApiVersion(HasMetadata.getApiVersion(OpenshiftAssistedControlPlane.class))
                .withKind(HasMetadata.getKind(OpenshiftAssistedControlPlane.class))
                .withName(name())
                .withUid(uid());
    }

    /** Whether the control plane is among the owners of an object, in whatever API version the reference is written. */
    public boolean owns(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid().equals(owner.getUid()));
    }

    /** Whether the control plane controls an object. */
    public boolean controls(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> uid().equals(owner.getUid()) && Boolean.TRUE.equals(owner.getController()));
    }

    /** Whether an object carries the labels of this control plane, as after a restore that lost the owners. */
    public boolean labelled(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && labels.entrySet().containsAll(selector().entrySet());
    }

    /**
     * Labels of every object of the control plane: those of the machine template and, stronger than these, the three by
     * which Cluster API finds control plane Machines (control plane contract, "machines").
     */
    public SortedMap<String, String> labels() {
        SortedMap<String, String> labels = new TreeMap<>(templateLabels());
        labels.putAll(selector());
        return labels;
    }

    /** The labels that tell this control plane's Machines from all others. */
    public SortedMap<String, String> selector() {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(Labels.CLUSTER_NAME, clusterName);
        labels.put(Labels.CONTROL_PLANE, "");
        labels.put(Labels.CONTROL_PLANE_NAME, LabelValue.of(name()));
        return labels;
    }

    /** Annotations that the machine template asks for. */
    public SortedMap<String, String> templateAnnotations() {
        MachineTemplate template = controlPlane.getSpec().machineTemplate();
        return sorted(template.metadata() == null ? null : template.metadata().annotations());
    }

    private SortedMap<String, String> templateLabels() {
        MachineTemplate template = controlPlane.getSpec().machineTemplate();
        return sorted(template.metadata() == null ? null : template.metadata().labels());
    }

    private static SortedMap<String, String> sorted(@Nullable Map<String, String> map) {
        return map == null ? new TreeMap<>() : new TreeMap<>(map);
    }
}
