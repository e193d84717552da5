package io.capoa.api.conversion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a conversion loses: the differences between the original and what comes back from converting it there and back.
 *
 * <p>Each entry holds the original value and a digest of the value that came back. It is applied only while the digest
 * still matches, so that a change made through the other version wins. Lists are entries as a whole, except conditions
 * of equal types in equal order; references (fields named {@code …Ref}) too, because half of one and half of another is
 * none.
 */
record Remainder(List<Entry> entries) {

    /** Writes equal values as equal text. */
    static final JsonMapper SORTED =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    private static final int DIGEST_BYTES = 8;
    private static final String AT = "at";
    private static final String WAS = "was";
    private static final String IS = "is";

    /** Names an entry of a list of conditions. */
    static final String TYPE_PREFIX = "type=";

    /**
     * One difference.
     *
     * @param at names that lead to the value, outermost first
     * @param was digest of the value that came back; {@code null} if none did
     * @param is the original; {@code null} if there was none, as opposed to the JSON value null
     */
    record Entry(
            List<String> at, @Nullable String was, @Nullable JsonNode is) {

        Entry {
            at = List.copyOf(at);
        }

        private void applyTo(ObjectNode object) {
            JsonNode above = object;
            for (String name : at.subList(0, at.size() - 1)) {
                above = step(above, name);
            }
            String name = at.getLast();
            if (above instanceof ObjectNode holder && Objects.equals(digest(holder.path(name)), was)) {
                if (is == null) {
                    var unused = holder.remove(name);
                } else {
                    holder.set(name, is.deepCopy());
                }
            }
        }

        /** Whether it would change the object. */
        boolean appliesTo(ObjectNode object) {
            JsonNode present = object;
            for (String name : at) {
                present = step(present, name);
            }
            return Objects.equals(digest(present), was);
        }
    }

    static final Remainder NONE = new Remainder(List.of());

    Remainder {
        entries = List.copyOf(entries);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** What turns {@code returned} into {@code original}. */
    static Remainder between(JsonNode returned, JsonNode original) {
        List<Entry> entries = new ArrayList<>();
        compare(returned, original, new ArrayList<>(), entries);
        return new Remainder(entries);
    }

    /** Those whose path and value are accepted. */
    Remainder only(Predicate<Entry> accepted) {
        return new Remainder(entries.stream().filter(accepted).toList());
    }

    /** Sets the values that the other version could not hold, where nothing has changed since. */
    void applyTo(ObjectNode object) {
        entries.forEach(entry -> entry.applyTo(object));
    }

    ArrayNode toJson() {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (Entry entry : entries) {
            ObjectNode object = json.addObject();
            ArrayNode at = object.putArray(AT);
            entry.at().forEach(at::add);
            if (entry.was() != null) {
                object.put(WAS, entry.was());
            }
            if (entry.is() != null) {
                object.set(IS, entry.is());
            }
        }
        return json;
    }

    /** Skips entries that {@link #toJson} cannot have written. */
    static Remainder fromJson(JsonNode json) {
        List<Entry> entries = new ArrayList<>();
        for (JsonNode object : json) {
            List<String> at = new ArrayList<>();
            object.path(AT).forEach(name -> at.add(name.asText()));
            if (!at.isEmpty()) {
                entries.add(new Entry(at, object.has(WAS) ? object.path(WAS).asText() : null, object.get(IS)));
            }
        }
        return new Remainder(entries);
    }

    private static JsonNode step(JsonNode above, String name) {
        if (above.isArray() && name.startsWith(TYPE_PREFIX)) {
            for (JsonNode condition : above) {
                if (condition.path("type").asText().equals(name.substring(TYPE_PREFIX.length()))) {
                    return condition;
                }
            }
            return MissingNode.getInstance();
        }
        return above.path(name);
    }

    @SuppressWarnings("ReferenceEquality") // conversions share what they leave as it is
    private static void compare(JsonNode returned, JsonNode original, List<String> path, List<Entry> into) {
        if (returned == original) {
            return;
        }
        if (returned.isObject() && original.isObject() && !isReference(path)) {
            // In order, so that the annotation depends on nothing but the content.
            Set<String> names = new TreeSet<>();
            original.fieldNames().forEachRemaining(names::add);
            returned.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                descend(returned.path(name), original.path(name), path, name, into);
            }
            return;
        }
        List<String> types = types(original);
        if (!types.isEmpty() && types.equals(types(returned))) {
            for (int i = 0; i < types.size(); i++) {
                descend(returned.path(i), original.path(i), path, TYPE_PREFIX + types.get(i), into);
            }
        } else if (!returned.equals(original)) {
            into.add(new Entry(path, digest(returned), original.isMissingNode() ? null : original));
        }
    }

    private static void descend(
            JsonNode returned, JsonNode original, List<String> path, String name, List<Entry> into) {
        path.add(name);
        compare(returned, original, path, into);
        path.removeLast();
    }

    private static boolean isReference(List<String> path) {
        return !path.isEmpty() && path.getLast().endsWith("Ref");
    }

    /** The types of a list of conditions; empty for anything else. */
    private static List<String> types(JsonNode list) {
        List<String> types = new ArrayList<>();
        if (list.isArray()) {
            list.forEach(entry -> types.add(
                    entry.path("type").isTextual() ? entry.path("type").asText() : ""));
        }
        return types.contains("") || Set.copyOf(types).size() < types.size() ? List.of() : types;
    }

    private static @Nullable String digest(JsonNode value) {
        if (value.isMissingNode()) {
            return null;
        }
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256")
                    .digest(SORTED.writeValueAsString(value).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(sum, DIGEST_BYTES));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a tree can be written, and every JDK has SHA-256", e);
        }
    }
}
