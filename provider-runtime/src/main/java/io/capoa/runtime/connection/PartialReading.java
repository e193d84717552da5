package io.capoa.runtime.connection;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.ReadInPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads an object that was stored with values that its fields cannot hold, as it was possible through older versions:
 * each such value is read as absent. An object with more than a few of them is read by its metadata only.
 */
final class PartialReading {

    /** Each value that is taken out costs another reading of the object. */
    static final int MOST = 32;

    private static final String OTHER_TYPE = " has a value of another type than the field";

    private static final Set<String> METADATA = Set.of("apiVersion", "kind", "metadata");

    private PartialReading() {}

    /** Deserializes JSON into the class of a kind. */
    interface Reader<R> {
        R read(String json) throws IOException;
    }

    /**
     * The object without the values that do not fit; they are named if its kind is a {@link ReadInPart}.
     *
     * @param tree as it was sent; it is changed
     * @throws IOException if not even the metadata fit
     */
    static <R> R read(ObjectNode tree, Reader<R> reader) throws IOException {
        List<String> unreadable = new ArrayList<>();
        while (true) {
            try {
                R read = reader.read(tree.toString());
                if (read instanceof ReadInPart part) {
                    part.readWithout(unreadable);
                }
                return read;
            } catch (JsonMappingException misfit) {
                String path = unreadable.size() < MOST ? takeOut(tree, misfit.getPath()) : "";
                if (!path.isEmpty()) {
                    unreadable.add(path + OTHER_TYPE);
                } else if (tree.size() > METADATA.size()) {
                    tree.retain(METADATA);
                    unreadable.add("spec has too many values of other types than their fields");
                } else {
                    throw misfit;
                }
            }
        }
    }

    /** Sets the innermost value on the path that is not null yet to null; its path, empty if there is none. */
    private static String takeOut(ObjectNode tree, List<JsonMappingException.Reference> path) {
        Runnable removal = () -> {};
        String removed = "";
        StringBuilder place = new StringBuilder();
        JsonNode node = tree;
        for (JsonMappingException.Reference step : path) {
            JsonNode holder = node;
            String name = step.getFieldName();
            int index = step.getIndex();
            node = name == null ? holder.path(index) : holder.path(name);
            if (node.isMissingNode() || node.isNull()) {
                break;
            }
            place.append(name == null ? "[" + index + "]" : place.isEmpty() ? name : "." + name);
            removed = place.toString();
            removal = switch (holder) {
                case ObjectNode object -> () -> object.putNull(name);
                case ArrayNode array -> () -> array.setNull(index);
                default -> throw new IllegalStateException("only objects and lists hold values");
            };
        }
        if (METADATA.contains(removed)) {
            return "";
        }
        removal.run();
        return removed;
    }
}
