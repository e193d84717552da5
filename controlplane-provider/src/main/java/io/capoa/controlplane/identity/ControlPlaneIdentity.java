package io.capoa.controlplane.identity;

import io.capoa.api.Labels;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.MachineTemplate;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names, labels and owner references of the objects of one control plane.
 *
 * @param controlPlane as read from the API server
 * @param clusterName name of the Cluster that owns the control plane, in the same namespace
 */
public record ControlPlaneIdentity(OpenshiftAssistedControlPlane controlPlane, String clusterName) {

    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");
    private static final int LONGEST_LABEL_VALUE = 63;
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

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

    /** Owner reference without {@code controller: true}. */
    public OwnerReference owner() {
        return reference().build();
    }

    /** Controller owner reference. */
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

    /** Whether the control plane is an owner of the object, in any API version. */
    public boolean owns(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid().equals(owner.getUid()));
    }

    /** Whether the control plane is the controller owner of the object. */
    public boolean controls(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> uid().equals(owner.getUid()) && Boolean.TRUE.equals(owner.getController()));
    }

    /** Whether the object is this control plane's: by UID, or by its labels where it has no control plane for owner. */
    public boolean isOurs(HasMetadata object) {
        String kind = HasMetadata.getKind(OpenshiftAssistedControlPlane.class);
        return owns(object)
                || (labelled(object)
                        && object.getMetadata().getOwnerReferences().stream()
                                .noneMatch(owner -> owner.getKind().equals(kind)));
    }

    /** Whether an object has the labels of this control plane; after a restore it may have lost its owners. */
    public boolean labelled(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels != null && labels.entrySet().containsAll(selector().entrySet());
    }

    /**
     * Labels of every object of the control plane: those of the machine template, overridden by the three labels by
     * which Cluster API finds control plane Machines (control plane contract, "machines").
     */
    public SortedMap<String, String> labels() {
        SortedMap<String, String> labels = new TreeMap<>(templateLabels());
        labels.putAll(selector());
        return labels;
    }

    /** Labels that select this control plane's Machines. */
    public SortedMap<String, String> selector() {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(Labels.CLUSTER_NAME, clusterName);
        labels.put(Labels.CONTROL_PLANE, "");
        labels.put(Labels.CONTROL_PLANE_NAME, labelValue(name()));
        return labels;
    }

    /** As Cluster API has it: the name if it is a valid label value, else {@code hash_<FNV-1a of the name, base64>_z}. */
    private static String labelValue(String name) {
        if (name.length() <= LONGEST_LABEL_VALUE && LABEL_VALUE.matcher(name).matches()) {
            return name;
        }
        int hash = FNV_OFFSET;
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
        }
        byte[] sum = ByteBuffer.allocate(Integer.BYTES).putInt(hash).array();
        return "hash_" + Base64.getUrlEncoder().withoutPadding().encodeToString(sum) + "_z";
    }

    /** Annotations of the machine template. */
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
