package io.capoa.api.rules;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with an object, field by field, in the order in which it was found. */
public final class Findings {

    private final List<Finding> refused = new ArrayList<>();
    private final List<Finding> doubtful = new ArrayList<>();

    /**
     * One thing.
     *
     * @param field path from the object's root, such as {@code spec.config.apiVIPs[0]}
     * @param sentence what is wrong and, after a colon, what to write instead
     */
    public record Finding(String field, String sentence) {

        @Override
        public String toString() {
            return field + " " + sentence;
        }
    }

    /** This cannot be: the object is refused. */
    public void refuse(String field, String sentence) {
        refused.add(new Finding(field, sentence));
    }

    /** This can be, and will hardly do what its writer wants: the object is taken, with a warning. */
    public void warn(String field, String sentence) {
        doubtful.add(new Finding(field, sentence));
    }

    public List<Finding> refused() {
        return List.copyOf(refused);
    }

    public List<Finding> doubtful() {
        return List.copyOf(doubtful);
    }
}
