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

    /** Machine kind of a template kind: {@code Metal3MachineTemplate} gives {@code Metal3Machine}. */
    public static String kind(InfrastructureReference reference) {
        String kind = reference.kind();
        return kind.endsWith(TEMPLATE) ? kind.substring(0, kind.length() - TEMPLATE.length()) : kind;
    }

    /**
     * Builds the infrastructure machine.
     *
     * @param reference the reference that names the template
     * @param template as read from the API server, in the version that its CRD's contract label names
     */
    public static GenericKubernetesResource desired(
            ControlPlaneIdentity identity,
            InfrastructureReference reference,
            GenericKubernetesResource template,
            String name) {
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

    /** Whether a Machine can take over an existing one: it is not being deleted and no other Machine owns it. */
    public static boolean isFree(GenericKubernetesResource existing) {
        return !existing.isMarkedForDeletion()
                && existing.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }

    /** Whether an existing one belongs to the control plane and was cloned from the same template. */
    public static boolean isMadeLike(
            ControlPlaneIdentity identity, GenericKubernetesResource existing, GenericKubernetesResource desired) {
        Map<String, String> annotations = desired.getMetadata().getAnnotations();
        return identity.isOurs(existing)
                && Stream.of(Annotations.CLONED_FROM_NAME, Annotations.CLONED_FROM_GROUP_KIND)
                        .allMatch(key -> Objects.equals(annotations.get(key), Annotations.value(existing, key)));
    }

    /** Name of the template it was cloned from; {@code null} if the annotation is missing. */
    public static @Nullable String template(GenericKubernetesResource existing) {
        return Annotations.value(existing, Annotations.CLONED_FROM_NAME);
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
