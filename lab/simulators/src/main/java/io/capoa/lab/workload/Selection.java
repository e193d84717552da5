package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.Arrays;
import java.util.Map;

/**
 * Selectors of a list or watch.
 *
 * @param labels label selector; equality and existence are supported
 * @param fields field selector; equality of the fields that Kubernetes supports
 */
record Selection(String labels, String fields) {

    static Selection of(Map<String, String> query) {
        return new Selection(query.getOrDefault("labelSelector", ""), query.getOrDefault("fieldSelector", ""));
    }

    boolean takes(Map<String, Object> object) {
        return terms(fields).allMatch(term -> hasField(object, term))
                && terms(labels).allMatch(term -> hasLabel(object, term));
    }

    private static java.util.stream.Stream<String> terms(String selector) {
        return Arrays.stream(selector.split(",")).filter(term -> !term.isBlank());
    }

    private static boolean hasField(Map<String, Object> object, String term) {
        String[] parts = term.split("==?", 2);
        Object value = Fields.any(object, parts[0].split("\\."));
        return parts.length == 2 && parts[1].equals(value == null ? "" : String.valueOf(value));
    }

    private static boolean hasLabel(Map<String, Object> object, String term) {
        Object labels = ObjectStore.metadata(object).get("labels");
        Map<?, ?> have = labels instanceof Map<?, ?> map ? map : Map.of();
        String[] parts = term.split("==?", 2);
        return parts.length == 1 ? have.containsKey(parts[0]) : parts[1].equals(have.get(parts[0]));
    }
}
