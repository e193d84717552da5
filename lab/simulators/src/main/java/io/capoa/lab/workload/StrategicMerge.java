package io.capoa.lab.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patches of Go clients: merge patches with lists that are merged by key where the Kubernetes API
 * defines one, and with directives.
 */
final class StrategicMerge {

    private static final String DIRECTIVE = "$patch";

    /** Merge keys of lists of the served kinds; other lists are replaced. */
    private static final Map<String, String> KEYS =
            Map.of("conditions", "type", "addresses", "type", "ownerReferences", "uid", "containers", "name");

    private StrategicMerge() {}

    /** Applies the patch to {@code target} in place. */
    @SuppressWarnings("unchecked")
    static void apply(Map<String, Object> target, Map<String, Object> patch) {
        if ("replace".equals(patch.get(DIRECTIVE))) {
            target.clear();
        }
        if (patch.get("$retainKeys") instanceof List<?> kept) {
            target.keySet().retainAll(kept);
        }
        patch.forEach((key, value) -> {
            if (key.startsWith("$")) {
                return;
            }
            Object before = target.get(key);
            if (value == null || (value instanceof Map<?, ?> map && "delete".equals(map.get(DIRECTIVE)))) {
                target.remove(key);
            } else if (value instanceof Map<?, ?> map) {
                Map<String, Object> into =
                        before instanceof Map<?, ?> ? (Map<String, Object>) before : new LinkedHashMap<>();
                apply(into, (Map<String, Object>) map);
                target.put(key, into);
            } else if (value instanceof List<?> list && KEYS.containsKey(key)) {
                target.put(key, merged(before instanceof List<?> there ? there : List.of(), list, KEYS.get(key)));
            } else {
                target.put(key, value);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Object> merged(List<?> there, List<?> changes, String identity) {
        List<Object> result = new ArrayList<>(there);
        for (Object change : changes) {
            Map<String, Object> element = (Map<String, Object>) change;
            Object id = element.get(identity);
            int at = indexOf(result, identity, id);
            if ("delete".equals(element.get(DIRECTIVE))) {
                if (at >= 0) {
                    result.remove(at);
                }
                continue;
            }
            Map<String, Object> into =
                    at < 0 ? new LinkedHashMap<>() : new LinkedHashMap<>((Map<String, Object>) result.get(at));
            apply(into, element);
            if (at < 0) {
                result.add(into);
            } else {
                result.set(at, into);
            }
        }
        return result;
    }

    private static int indexOf(List<Object> elements, String identity, @Nullable Object id) {
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Map<?, ?> element && Objects.equals(id, element.get(identity))) {
                return i;
            }
        }
        return -1;
    }
}
