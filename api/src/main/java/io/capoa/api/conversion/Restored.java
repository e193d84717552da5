package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.conversion.Remainder.Entry;
import io.capoa.api.rules.schema.SchemaCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * An object in v1beta1 with what its older form carried beside its own fields. Everybody who may write an object can write
 * that annotation, past the validation of v1beta1: it sets only what breaks no rule of the schema, in spec and in a status
 * that is there, and nothing that the older version shows otherwise in its own fields.
 *
 * @param returned what the object is when it is converted back
 * @param ignored fields that the annotation must not set
 */
record Restored(ObjectNode object, ObjectNode returned, List<String> ignored) {

    /** More entries are not judged one by one if together they change what the older version shows. */
    private static final int MOST = 32;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9=/._-]{0,62}");

    /**
     * Applies a remainder.
     *
     * @param hub the older object as converted without it
     * @param older the older object
     * @param schema of v1beta1
     * @param back converts to the older version
     * @param derived fields of the older version that only follow from others
     */
    static Restored of(
            Remainder remainder,
            ObjectNode hub,
            ObjectNode older,
            JsonNode schema,
            UnaryOperator<ObjectNode> back,
            Set<List<String>> derived) {
        Remainder fitting = remainder.only(entry -> fits(entry, older, schema));
        ObjectNode all = with(fitting, hub);
        ObjectNode returned = back.apply(all);
        if (fitting.isEmpty() || agrees(returned, older, older, new ArrayList<>(), derived)) {
            return new Restored(all, returned, ignored(remainder, fitting, hub));
        }
        ObjectNode plain = back.apply(hub);
        if (agrees(returned, older, plain, new ArrayList<>(), derived)) {
            return new Restored(all, returned, ignored(remainder, fitting, hub));
        }
        List<Entry> entries = fitting.entries().size() > MOST ? List.of() : fitting.entries();
        Remainder silent = new Remainder(entries.stream()
                .filter(entry -> agrees(
                        back.apply(with(new Remainder(List.of(entry)), hub)), older, plain, new ArrayList<>(), derived))
                .toList());
        ObjectNode some = with(silent, hub);
        return new Restored(some, back.apply(some), ignored(remainder, silent, hub));
    }

    private static ObjectNode with(Remainder remainder, ObjectNode hub) {
        if (remainder.isEmpty()) {
            return hub;
        }
        ObjectNode object = hub.deepCopy();
        remainder.applyTo(object);
        return object;
    }

    private static boolean fits(Entry entry, ObjectNode older, JsonNode schema) {
        String part = entry.at().getFirst();
        JsonNode at = schema;
        for (String name : entry.at()) {
            at = within(at, name);
        }
        JsonNode value = entry.is();
        return (part.equals("spec") || (part.equals("status") && older.has(part)))
                && at.isObject()
                && (value == null || SchemaCheck.fits(value, at));
    }

    private static JsonNode within(JsonNode schema, String name) {
        if (schema.path("type").asText().equals("array")) {
            return name.startsWith(Remainder.TYPE_PREFIX) ? schema.path("items") : MissingNode.getInstance();
        }
        JsonNode others = schema.path("additionalProperties");
        return others.isObject() ? others : schema.path("properties").path(name);
    }

    /** Whether what the older version shows is everywhere what it says, or what it shows without the remainder. */
    private static boolean agrees(
            JsonNode shown, JsonNode said, JsonNode plain, List<String> path, Set<List<String>> derived) {
        if (shown.equals(said) || shown.equals(plain) || derived.contains(path)) {
            return true;
        }
        if (!shown.isObject() && !(shown.isMissingNode() && said.isObject())) {
            return false;
        }
        Set<String> names = new HashSet<>();
        shown.fieldNames().forEachRemaining(names::add);
        said.fieldNames().forEachRemaining(names::add);
        plain.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            path.add(name);
            boolean agree = agrees(shown.path(name), said.path(name), plain.path(name), path, derived);
            path.removeLast();
            if (!agree) {
                return false;
            }
        }
        return true;
    }

    /** Without entries that a change through the older version has overtaken. */
    private static List<String> ignored(Remainder remainder, Remainder applied, ObjectNode hub) {
        if (applied.entries().size() == remainder.entries().size()) {
            return List.of();
        }
        Set<Entry> kept = new HashSet<>(applied.entries());
        return remainder.entries().stream()
                .filter(entry -> !kept.contains(entry) && entry.appliesTo(hub))
                .map(Restored::name)
                .distinct()
                .toList();
    }

    /** The field's path for a message: its first six names, or a fixed text if one of them is no plain name. */
    private static String name(Entry entry) {
        List<String> names = entry.at().stream().limit(6).toList();
        return names.stream().allMatch(name -> NAME.matcher(name).matches())
                ? String.join(".", names)
                : "a field that does not exist";
    }
}
