package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A field of an object by the names that lead to it, such as {@code spec.machineTemplate.deletion}; never inside a list.
 *
 * @param names outermost first, at least one
 */
record FieldPath(List<String> names) {

    FieldPath {
        names = List.copyOf(names);
    }

    static FieldPath of(String dotted) {
        return new FieldPath(List.of(dotted.split("\\.")));
    }

    /** The value; a missing node if the field or an object above it is absent. */
    JsonNode in(JsonNode object) {
        JsonNode at = object;
        for (String name : names) {
            at = at.isObject() ? at.path(name) : MissingNode.getInstance();
        }
        return at;
    }

    /** Sets the field and creates the objects above it; does nothing if one of them is present and not an object. */
    void put(ObjectNode object, JsonNode value) {
        ObjectNode at = object;
        for (String name : names.subList(0, names.size() - 1)) {
            JsonNode next = at.path(name);
            if (next.isMissingNode() || next.isNull()) {
                next = at.putObject(name);
            }
            if (!(next instanceof ObjectNode inner)) {
                return;
            }
            at = inner;
        }
        at.set(names.getLast(), value);
    }

    /** Removes the field; the objects above it stay. */
    void removeFrom(ObjectNode object) {
        JsonNode above = object;
        for (String name : names.subList(0, names.size() - 1)) {
            above = above.path(name);
        }
        if (above instanceof ObjectNode holder) {
            var unused = holder.remove(names.getLast());
        }
    }

    @Override
    public String toString() {
        return String.join(".", names);
    }
}
