package io.capoa.api.rules;

import java.util.ArrayList;
import java.util.List;

/** Findings of a validation, in the order in which they were found; the first thousand of an object that has more. */
public final class Findings {

    private static final int MOST = 1_000;

    private final List<Finding> refused = new ArrayList<>();
    private final List<Finding> doubtful = new ArrayList<>();

    /**
     * One finding.
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

    /** The object is rejected. */
    public void refuse(String field, String sentence) {
        add(refused, field, sentence);
    }

    /** The object is admitted with a warning: the value is legal but probably not intended. */
    public void warn(String field, String sentence) {
        add(doubtful, field, sentence);
    }

    private static void add(List<Finding> findings, String field, String sentence) {
        if (findings.size() < MOST) {
            findings.add(new Finding(field, sentence));
        }
    }

    public List<Finding> refused() {
        return List.copyOf(refused);
    }

    public List<Finding> doubtful() {
        return List.copyOf(doubtful);
    }
}
