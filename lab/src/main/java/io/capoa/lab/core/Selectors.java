package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code spec.selector} as the text that the scale subresource shows. */
final class Selectors {

    private Selectors() {}

    /** Of the matchLabels alone, sorted; {@code null} when there are none. */
    static @Nullable String text(GenericKubernetesResource resource) {
        Map<String, Object> labels = new TreeMap<>(Fields.map(resource, "spec", "selector", "matchLabels"));
        return labels.isEmpty()
                ? null
                : labels.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(","));
    }
}
