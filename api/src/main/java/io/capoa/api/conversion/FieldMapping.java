package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A field of an older version that v1beta1 does not have in the same place and form: one row of the migration guide. */
public sealed interface FieldMapping {

    /** The field of the older version. */
    String older();

    /** The field of v1beta1; empty if it has none. */
    String hub();

    /** What changes, for readers: one sentence. */
    String note();

    /**
     * Converts the field towards v1beta1.
     *
     * @param from the older object
     * @param to a copy of it, on its way to v1beta1
     */
    void toHub(ObjectNode from, ObjectNode to);

    /**
     * Converts the field towards the older version.
     *
     * @param from the object in v1beta1
     * @param to a copy of it, on its way to the older version
     */
    void toOlder(ObjectNode from, ObjectNode to);

    /** A field with another name or form in v1beta1. */
    record Moved(String older, String hub, ValueConversion conversion, String note) implements FieldMapping {

        @Override
        public void toHub(ObjectNode from, ObjectNode to) {
            move(FieldPath.of(older), FieldPath.of(hub), from, to, conversion::toHub);
        }

        @Override
        public void toOlder(ObjectNode from, ObjectNode to) {
            move(FieldPath.of(hub), FieldPath.of(older), from, to, conversion::toOlder);
        }

        private static void move(
                FieldPath source,
                FieldPath target,
                ObjectNode from,
                ObjectNode to,
                Function<JsonNode, @Nullable JsonNode> conversion) {
            source.removeFrom(to);
            JsonNode value = source.in(from);
            JsonNode converted = value.isMissingNode() ? null : conversion.apply(value);
            if (converted != null) {
                target.put(to, converted);
            }
        }
    }

    /** A field without a counterpart in v1beta1; the conversion keeps it in an annotation. */
    record OlderOnly(String older, String note) implements FieldMapping {

        @Override
        public String hub() {
            return "";
        }

        @Override
        public void toHub(ObjectNode from, ObjectNode to) {
            FieldPath.of(older).removeFrom(to);
        }

        @Override
        public void toOlder(ObjectNode from, ObjectNode to) {
            // Only the annotation knows it.
        }
    }

    /**
     * A field that follows from others in v1beta1; changes through the older version have no effect.
     *
     * @param hub what it is derived from
     * @param value of the object in v1beta1; {@code null} if it cannot be said
     */
    record Derived(String older, String hub, Function<ObjectNode, @Nullable JsonNode> value, String note)
            implements FieldMapping {

        @Override
        public void toHub(ObjectNode from, ObjectNode to) {
            FieldPath.of(older).removeFrom(to);
        }

        @Override
        public void toOlder(ObjectNode from, ObjectNode to) {
            JsonNode derived = value.apply(from);
            if (derived != null) {
                FieldPath.of(older).put(to, derived);
            }
        }
    }

    /** A second form of a field that both versions have; towards v1beta1 it counts only if the first form is absent. */
    record SecondForm(String older, String hub, ValueConversion conversion, String note) implements FieldMapping {

        @Override
        public void toHub(ObjectNode from, ObjectNode to) {
            FieldPath.of(older).removeFrom(to);
            JsonNode value = FieldPath.of(older).in(from);
            JsonNode converted = value.isMissingNode() ? null : conversion.toHub(value);
            if (converted != null && FieldPath.of(hub).in(from).isMissingNode()) {
                FieldPath.of(hub).put(to, converted);
            }
        }

        @Override
        public void toOlder(ObjectNode from, ObjectNode to) {
            JsonNode value = FieldPath.of(hub).in(from);
            JsonNode converted = value.isMissingNode() ? null : conversion.toOlder(value);
            if (converted != null) {
                FieldPath.of(older).put(to, converted);
            }
        }
    }
}
