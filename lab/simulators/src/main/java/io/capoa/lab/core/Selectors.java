package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code spec.selector} as text for the scale subresource. */
final class Selectors {

    private Selectors() {}

    /** The sorted matchLabels; {@code null} if there are none. */
    static @Nullable String text(GenericKubernetesResource resource) {
        Map<String, Object> labels = new TreeMap<>(Fields.map(resource, "spec", "selector", "matchLabels"));
        return labels.isEmpty()
                ? null
                : labels.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(","));
    }
}
