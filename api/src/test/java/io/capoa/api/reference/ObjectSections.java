package io.capoa.api.reference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.reference.ObjectSection.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Collects the objects of all kinds; those of the same structure share a section. */
final class ObjectSections {

    private final Map<JsonNode, ObjectSection> sections = new LinkedHashMap<>();

    /** Adds a kind with all objects inside, from the outside in. */
    void add(String kind, JsonNode root) {
        collect(new Place(kind, ""), root);
    }

    /** The sections of a kind; objects that an earlier kind described are not among them. */
    List<ObjectSection> of(String kind) {
        return sections.values().stream()
                .filter(section -> section.place().kind().equals(kind))
                .toList();
    }

    /** The section of a collected object. */
    ObjectSection describing(JsonNode object) {
        return Objects.requireNonNull(sections.get(structure(object)), object::toString);
    }

    private void collect(Place place, JsonNode object) {
        ObjectSection known = sections.get(structure(object));
        if (known != null) {
            known.others().add(place);
            return;
        }
        sections.put(structure(object), new ObjectSection(place, object));
        for (Field field : Field.of(object)) {
            if (field.holdsObjects()) {
                collect(place.field(field), field.element());
            }
        }
    }

    /** What a section shows; description and default belong to the field that holds the object. */
    private static ObjectNode structure(JsonNode object) {
        ObjectNode structure = JsonNodeFactory.instance.objectNode();
        for (String part : List.of("properties", "required", "x-kubernetes-validations")) {
            structure.set(part, object.path(part));
        }
        return structure;
    }
}
