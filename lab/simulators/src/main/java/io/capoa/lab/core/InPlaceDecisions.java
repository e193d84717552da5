package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.extension.RuntimeExtensions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Asks the runtime extension whether Machines of a MachineSet can be updated in place to those of another. */
final class InPlaceDecisions {

    private static final String HOOK = "CanUpdateMachineSet";

    /** Fields that may differ: they are propagated or belong to the Machine. */
    private static final List<String> NOT_COMPARED = List.of(
            "clusterName",
            "bootstrap",
            "infrastructureRef",
            "providerID",
            "minReadySeconds",
            "readinessGates",
            "deletion",
            "taints");

    private final RuntimeExtensions extensions;
    private final Externals externals;
    private final Map<String, Boolean> answers = new ConcurrentHashMap<>();

    InPlaceDecisions(RuntimeExtensions extensions, Externals externals) {
        this.extensions = extensions;
        this.externals = externals;
    }

    /** Whether a runtime extension handles updates in place. */
    boolean isPossible(String namespace) {
        return extensions.handles(HOOK, namespace) && extensions.handles(InPlace.HOOK, namespace);
    }

    /** Whether the patches of the response make the old MachineSet equal to the new one; remembered, also a "no". */
    boolean canUpdate(MachineSet current, MachineSet desired) {
        String namespace = current.getMetadata().getNamespace();
        String pair =
                current.getMetadata().getUid() + " " + desired.getMetadata().getName();
        Boolean known = answers.get(pair);
        if (known != null) {
            return known;
        }
        Map<String, Object> response =
                extensions.call(HOOK, namespace, Map.of("current", group(current), "desired", group(desired)));
        boolean can = isSame(current, desired, response);
        answers.put(pair, can);
        return can;
    }

    private Map<String, Object> group(MachineSet set) {
        Map<String, Object> group = new LinkedHashMap<>();
        group.put("machineSet", reduced(set));
        template(group, "infrastructureMachineTemplate", set, "infrastructureRef");
        template(group, "bootstrapConfigTemplate", set, "bootstrap", "configRef");
        return group;
    }

    private void template(Map<String, Object> group, String name, MachineSet set, String... field) {
        Reference reference = Reference.of(
                set.getMetadata().getNamespace(),
                Fields.any((Object) Fields.map(set, "spec", "template", "spec"), field));
        GenericKubernetesResource template = reference == null ? null : externals.get(reference);
        if (template != null) {
            group.put(name, reduced(template));
        }
    }

    /** An object as hooks get it: without status and managed metadata. */
    static Map<String, Object> reduced(GenericKubernetesResource object) {
        Map<String, Object> metadata = new TreeMap<>();
        metadata.put("name", object.getMetadata().getName());
        metadata.put("namespace", object.getMetadata().getNamespace());
        put(metadata, "labels", object.getMetadata().getLabels());
        put(metadata, "annotations", object.getMetadata().getAnnotations());
        Map<String, Object> reduced = new LinkedHashMap<>();
        reduced.put("apiVersion", object.getApiVersion());
        reduced.put("kind", object.getKind());
        reduced.put("metadata", metadata);
        reduced.put("spec", Fields.map(object, "spec"));
        return reduced;
    }

    private static void put(Map<String, Object> map, String key, @Nullable Map<String, String> value) {
        if (value != null) {
            map.put(key, value);
        }
    }

    private static boolean isSame(MachineSet current, MachineSet desired, Map<String, Object> response) {
        Map<String, Object> patched = new TreeMap<>(Fields.map(current, "spec", "template", "spec"));
        Object patch = Fields.any(response.get("machineSetPatch"), "patch");
        if (patch instanceof String text) {
            merge(patched, Fields.any(json(text), "spec", "template", "spec"));
        }
        return compared(patched).equals(compared(Fields.map(desired, "spec", "template", "spec")));
    }

    private static Object json(String base64) {
        try {
            return new com.fasterxml.jackson.databind.json.JsonMapper()
                    .readValue(Base64.getDecoder().decode(base64), Map.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static void merge(Map<String, Object> into, @Nullable Object patch) {
        if (patch instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (value == null) {
                    into.remove(key);
                } else if (value instanceof Map<?, ?> && into.get(key) instanceof Map<?, ?> inner) {
                    Map<String, Object> copy = new TreeMap<>((Map<String, Object>) inner);
                    merge(copy, value);
                    into.put(String.valueOf(key), copy);
                } else {
                    into.put(String.valueOf(key), Objects.requireNonNull(value));
                }
            });
        }
    }

    private static Map<String, Object> compared(Map<String, Object> spec) {
        Map<String, Object> compared = new TreeMap<>(spec);
        NOT_COMPARED.forEach(compared::remove);
        return compared;
    }
}
