package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges two configurations by the rules of the Ignition specification: objects field by field, the child's value
 * before the parent's; lists entry by entry where the specification gives the entries a key, appended otherwise. Parent
 * entries keep their place, new ones of the child follow in its order.
 */
final class IgnitionMerge {

    /** Lists whose entries have a key, by their path; {@code *} stands for the entries of a list on the way. */
    private static final Map<String, List<String>> KEYS = Map.ofEntries(
            Map.entry("passwd.users", List.of("name")),
            Map.entry("passwd.groups", List.of("name")),
            Map.entry("storage.disks", List.of("device")),
            Map.entry("storage.disks.*.partitions", List.of("number", "label")),
            Map.entry("storage.raid", List.of("name")),
            Map.entry("storage.filesystems", List.of("device")),
            Map.entry("storage.files", List.of("path")),
            Map.entry("storage.directories", List.of("path")),
            Map.entry("storage.links", List.of("path")),
            Map.entry("storage.luks", List.of("name")),
            Map.entry("storage.luks.*.clevis.tang", List.of("url")),
            Map.entry("systemd.units", List.of("name")),
            Map.entry("systemd.units.*.dropins", List.of("name")),
            Map.entry("ignition.security.tls.certificateAuthorities", List.of("source")));

    /** Lists of strings in which an equal entry does count twice. */
    private static final Set<String> REPEATABLE = Set.of(
            "storage.raid.*.options",
            "storage.filesystems.*.options",
            "storage.filesystems.*.mountOptions",
            "storage.luks.*.options");

    /** A path is a file, a directory or a link: the child's word takes it out of the parent's other lists. */
    private static final List<String> NODE_LISTS = List.of("files", "directories", "links");

    private IgnitionMerge() {}

    static ObjectNode merge(ObjectNode parent, ObjectNode child) {
        ObjectNode cleared = parent.deepCopy();
        removeReplacedNodes(cleared.path("storage"), child.path("storage"));
        removeRevokedKernelArguments(cleared.path("kernelArguments"), child.path("kernelArguments"));
        return objects(cleared, child, "");
    }

    private static ObjectNode objects(ObjectNode parent, ObjectNode child, String path) {
        ObjectNode merged = parent.deepCopy();
        for (Map.Entry<String, JsonNode> field : child.properties()) {
            String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            JsonNode ours = merged.get(field.getKey());
            JsonNode theirs = field.getValue();
            if (ours == null || ours.isNull()) {
                merged.set(field.getKey(), theirs.deepCopy());
            } else if (!theirs.isNull()) {
                merged.set(field.getKey(), values(ours, theirs, below));
            }
        }
        return merged;
    }

    private static JsonNode values(JsonNode parent, JsonNode child, String path) {
        if (parent instanceof ObjectNode ours && child instanceof ObjectNode theirs) {
            return objects(ours, theirs, path);
        }
        if (parent instanceof ArrayNode ours && child instanceof ArrayNode theirs) {
            return lists(ours, theirs, path);
        }
        return child.deepCopy();
    }

    private static ArrayNode lists(ArrayNode parent, ArrayNode child, String path) {
        ArrayNode merged = parent.deepCopy();
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < merged.size(); i++) {
            String key = key(merged.get(i), path);
            if (key != null) {
                places.putIfAbsent(key, i);
            }
        }
        for (JsonNode entry : child) {
            String key = key(entry, path);
            Integer place = key == null ? null : places.get(key);
            if (place == null) {
                merged.add(entry.deepCopy());
            } else {
                merged.set(place, values(merged.get(place), entry, path + ".*"));
            }
        }
        return merged;
    }

    private static @Nullable String key(JsonNode entry, String path) {
        if (entry.isTextual()) {
            return REPEATABLE.contains(path) ? null : entry.textValue();
        }
        List<String> fields = path.endsWith(".httpHeaders") ? List.of("name") : KEYS.getOrDefault(path, List.of());
        for (String field : fields) {
            JsonNode value = entry.path(field);
            boolean unset = value.isMissingNode() || value.isNull() || (value.isNumber() && value.intValue() == 0);
            if (!unset) {
                return field + ":" + value.asText();
            }
        }
        return null;
    }

    private static void removeReplacedNodes(JsonNode parent, JsonNode child) {
        for (String list : NODE_LISTS) {
            Set<String> elsewhere = new HashSet<>();
            for (String other : NODE_LISTS) {
                if (!other.equals(list)) {
                    child.path(other)
                            .forEach(node -> elsewhere.add(node.path("path").asText()));
                }
            }
            removeIf(
                    parent.path(list),
                    node -> elsewhere.contains(node.path("path").asText()));
        }
    }

    private static void removeRevokedKernelArguments(JsonNode parent, JsonNode child) {
        Set<String> wanted = new HashSet<>();
        child.path("shouldExist").forEach(argument -> wanted.add(argument.asText()));
        Set<String> unwanted = new HashSet<>();
        child.path("shouldNotExist").forEach(argument -> unwanted.add(argument.asText()));
        removeIf(parent.path("shouldExist"), argument -> unwanted.contains(argument.asText()));
        removeIf(parent.path("shouldNotExist"), argument -> wanted.contains(argument.asText()));
    }

    private static void removeIf(JsonNode list, java.util.function.Predicate<JsonNode> condition) {
        if (list instanceof ArrayNode array) {
            List<JsonNode> kept = new ArrayList<>();
            array.forEach(entry -> {
                if (!condition.test(entry)) {
                    kept.add(entry);
                }
            });
            array.removeAll().addAll(kept);
        }
    }
}
