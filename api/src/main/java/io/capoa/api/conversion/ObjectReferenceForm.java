package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** A reference to an infrastructure template: with apiVersion in the older version, with apiGroup in v1beta1. */
final class ObjectReferenceForm implements ValueConversion {

    private static final String API_VERSION = "apiVersion";
    private static final String API_GROUP = "apiGroup";

    /** What the Go provider assumes too; the original comes back from the annotation if it was another one. */
    private static final String ASSUMED_VERSION = "v1beta1";

    @Override
    public @Nullable JsonNode toHub(JsonNode older) {
        if (!older.isObject()) {
            return null;
        }
        ObjectNode reference = JsonNodeFactory.instance.objectNode();
        String apiVersion = older.path(API_VERSION).asText();
        int slash = apiVersion.indexOf('/');
        if (slash > 0) {
            reference.put(API_GROUP, apiVersion.substring(0, slash));
        }
        copyName(older, reference);
        return reference;
    }

    @Override
    public @Nullable JsonNode toOlder(JsonNode hub) {
        if (!hub.isObject()) {
            return null;
        }
        ObjectNode reference = JsonNodeFactory.instance.objectNode();
        String group = hub.path(API_GROUP).asText();
        if (!group.isEmpty()) {
            reference.put(API_VERSION, group + "/" + ASSUMED_VERSION);
        }
        copyName(hub, reference);
        return reference;
    }

    private static void copyName(JsonNode from, ObjectNode to) {
        for (String field : new String[] {"kind", "name"}) {
            if (from.has(field)) {
                to.set(field, from.get(field));
            }
        }
    }
}
