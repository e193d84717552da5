package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Desired infrastructure machine: a clone of the infrastructure template (Cluster API v1beta2 control plane contract,
 * "cloning").
 */
public final class InfrastructureMachine {

    private static final String TEMPLATE = "Template";

    private InfrastructureMachine() {}

    /** Kind of the machines that a template kind makes: {@code Metal3MachineTemplate} makes {@code Metal3Machine}s. */
    public static String kind(InfrastructureReference reference) {
        String kind = reference.kind();
        return kind.endsWith(TEMPLATE) ? kind.substring(0, kind.length() - TEMPLATE.length()) : kind;
    }

    /**
     * The infrastructure machine of that name.
     *
     * @param template as read from the API server, in the version that its CRD's contract label names
     */
    public static GenericKubernetesResource desired(
            ControlPlaneIdentity identity, GenericKubernetesResource template, String name) {
        InfrastructureReference reference =
                identity.controlPlane().getSpec().machineTemplate().spec().infrastructureRef();
        SortedMap<String, String> labels = strings(Fields.map(template, "spec", "template", "metadata", "labels"));
        labels.putAll(identity.labels());
        SortedMap<String, String> annotations =
                strings(Fields.map(template, "spec", "template", "metadata", "annotations"));
        annotations.putAll(identity.templateAnnotations());
        annotations.put(Annotations.CLONED_FROM_NAME, reference.name());
        annotations.put(Annotations.CLONED_FROM_GROUP_KIND, reference.kind() + "." + reference.apiGroup());
        GenericKubernetesResource machine = new GenericKubernetesResource();
        machine.setApiVersion(template.getApiVersion());
        machine.setKind(kind(reference));
        machine.setMetadata(new ObjectMetaBuilder()
                .withNamespace(identity.namespace())
                .withName(name)
                .withLabels(labels)
                .withAnnotations(annotations)
                .withOwnerReferences(identity.owner())
                .build());
        machine.setAdditionalProperty("spec", Fields.map(template, "spec", "template", "spec"));
        return machine;
    }

    /** Whether a Machine can take over one that exists: it stays, and no other Machine has it. */
    public static boolean isFree(GenericKubernetesResource existing) {
        return existing.getMetadata().getDeletionTimestamp() == null
                && existing.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }

    /** Whether one that exists is what the control plane would make now: its own, and from the same template. */
    public static boolean isMadeLike(
            ControlPlaneIdentity identity, GenericKubernetesResource existing, GenericKubernetesResource desired) {
        Map<String, String> annotations = desired.getMetadata().getAnnotations();
        return (identity.owns(existing) || identity.labelled(existing))
                && Stream.of(Annotations.CLONED_FROM_NAME, Annotations.CLONED_FROM_GROUP_KIND)
                        .allMatch(key -> Objects.equals(annotations.get(key), madeFrom(existing, key)));
    }

    /** Name of the template that it was made from; {@code null} if it does not tell. */
    public static @Nullable String template(GenericKubernetesResource existing) {
        return madeFrom(existing, Annotations.CLONED_FROM_NAME);
    }

    private static @Nullable String madeFrom(GenericKubernetesResource existing, String key) {
        Map<String, String> annotations = existing.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(key);
    }

    private static SortedMap<String, String> strings(Map<String, ? extends @Nullable Object> map) {
        SortedMap<String, String> strings = new TreeMap<>();
        map.forEach((key, value) -> {
            if (value instanceof String string) {
                strings.put(key, string);
            }
        });
        return strings;
    }
}
