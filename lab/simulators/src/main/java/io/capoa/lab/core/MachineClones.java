package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates a Machine of a MachineSet, with a bootstrap config and an infrastructure machine cloned from templates. */
final class MachineClones {

    private final Externals externals;
    private final Writes writes;

    MachineClones(Externals externals, Writes writes) {
        this.externals = externals;
        this.writes = writes;
    }

    /** A missing template, or {@code null}. */
    @Nullable
    Reference missingTemplate(MachineSet set) {
        for (Reference template : new Reference[] {configTemplate(set), infraTemplate(set)}) {
            if (template != null && externals.get(template) == null) {
                return template;
            }
        }
        return null;
    }

    /** Creates the missing ones of the three objects; the Machine last, since it refers to the others. */
    void create(MachineSet set, String name) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(set.getMetadata().getNamespace())
                .withLabels(labels(set))
                .withAnnotations(annotations(set))
                .withFinalizers(Contract.MACHINE_FINALIZER)
                .withOwnerReferences(Contract.controller(set))
                .build());
        Map<String, Object> spec = new LinkedHashMap<>(Fields.map(set, "spec", "template", "spec"));
        Reference config = configTemplate(set);
        if (config != null) {
            spec.put("bootstrap", Map.of("configRef", clone(set, config, name)));
        }
        Reference infra = infraTemplate(set);
        if (infra != null) {
            spec.put("infrastructureRef", clone(set, infra, name));
        }
        machine.setAdditionalProperties(Map.of("spec", spec));
        writes.create(machine);
    }

    private Map<String, String> clone(MachineSet set, Reference template, String name) {
        GenericKubernetesResource from = externals.get(template);
        if (from == null) {
            throw new IllegalStateException(template.kind() + " " + template.name() + " is gone");
        }
        Map<String, String> labels = new TreeMap<>(strings(from, "spec", "template", "metadata", "labels"));
        labels.putAll(labels(set));
        Map<String, String> annotations = new TreeMap<>(strings(from, "spec", "template", "metadata", "annotations"));
        annotations.putAll(annotations(set));
        annotations.put(Contract.CLONED_FROM_NAME, template.name());
        annotations.put(Contract.CLONED_FROM_GROUP_KIND, template.kind() + "." + template.apiGroup());
        GenericKubernetesResource clone = new GenericKubernetesResource();
        clone.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(template.namespace())
                .withLabels(labels)
                .withAnnotations(annotations)
                .withOwnerReferences(Contract.owner(set))
                .build());
        clone.setAdditionalProperties(Map.of("spec", Fields.map(from, "spec", "template", "spec")));
        String kind = template.kind().replaceFirst("Template$", "");
        externals.create(new Reference(template.namespace(), template.apiGroup(), kind, name), clone);
        return Map.of("apiGroup", template.apiGroup(), "kind", kind, "name", name);
    }

    private static @Nullable Reference configTemplate(MachineSet set) {
        return Reference.of(set, "spec", "template", "spec", "bootstrap", "configRef");
    }

    private static @Nullable Reference infraTemplate(MachineSet set) {
        return Reference.of(set, "spec", "template", "spec", "infrastructureRef");
    }

    private static Map<String, String> labels(MachineSet set) {
        Map<String, String> labels = new TreeMap<>(strings(set, "spec", "template", "metadata", "labels"));
        labels.put(Contract.CLUSTER_NAME, Listings.clusterKey(set).name());
        labels.put(Contract.SET_NAME, set.getMetadata().getName());
        String deployment = Contract.label(set, Contract.DEPLOYMENT_NAME);
        if (deployment != null) {
            labels.put(Contract.DEPLOYMENT_NAME, deployment);
        }
        return labels;
    }

    private static Map<String, String> annotations(MachineSet set) {
        return strings(set, "spec", "template", "metadata", "annotations");
    }

    private static Map<String, String> strings(GenericKubernetesResource resource, String... path) {
        Map<String, String> strings = new TreeMap<>();
        Fields.map(resource, path).forEach((k, v) -> strings.put(k, String.valueOf(v)));
        return strings;
    }
}
