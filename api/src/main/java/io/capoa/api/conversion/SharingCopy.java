package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Copies the objects above some fields, so that these can be set and removed; the copy shares everything else. */
final class SharingCopy {

    private final Map<String, SharingCopy> inner = new HashMap<>();

    /** For fields of the root and these. */
    static SharingCopy above(List<FieldPath> fields) {
        SharingCopy root = new SharingCopy();
        for (FieldPath field : fields) {
            SharingCopy at = root;
            for (String name : field.names().subList(0, field.names().size() - 1)) {
                at = at.inner.computeIfAbsent(name, unused -> new SharingCopy());
            }
        }
        return root;
    }

    ObjectNode of(ObjectNode object) {
        ObjectNode copy = object.objectNode().setAll(object);
        inner.forEach((name, below) -> {
            if (object.get(name) instanceof ObjectNode present) {
                copy.set(name, below.of(present));
            }
        });
        return copy;
    }
}
