package io.capoa.api.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An object that has a section of the reference.
 *
 * @param place where it occurs first
 * @param schema of the object
 * @param others where the same structure occurs again; grows while objects are collected
 */
record ObjectSection(Place place, JsonNode schema, List<Place> others) {

    /**
     * A place of the API.
     *
     * @param kind that has it
     * @param path from the root of the kind, {@code spec.taints[]}; empty for the root
     */
    record Place(String kind, String path) {

        Place field(Field field) {
            return new Place(kind, path.isEmpty() ? field.step() : path + "." + field.step());
        }

        String anchor() {
            String steps = path.isEmpty() ? "" : "-" + path.replaceAll("[^A-Za-z0-9]+", "-");
            return (kind + steps).replaceFirst("-$", "").toLowerCase(Locale.ROOT);
        }
    }

    ObjectSection(Place place, JsonNode schema) {
        this(place, schema, new ArrayList<>());
    }

    boolean isRoot() {
        return place.path().isEmpty();
    }
}
