package io.capoa.api.contract;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reference to an object in the same namespace, by API group, kind and name (Cluster API v1beta2 contract).
 *
 * @param fields of the reference, empty if the object has none
 */
public record ContractReference(Map<String, Object> fields) {

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    public @Nullable String group() {
        return text("apiGroup");
    }

    public @Nullable String kind() {
        return text("kind");
    }

    public @Nullable String name() {
        return text("name");
    }

    /** Whether it refers to an object of that group and kind, in any version. */
    public boolean isTo(String group, String kind) {
        return group.equals(group()) && kind.equals(kind());
    }

    private @Nullable String text(String field) {
        return fields.get(field) instanceof String text && !text.isEmpty() ? text : null;
    }
}
