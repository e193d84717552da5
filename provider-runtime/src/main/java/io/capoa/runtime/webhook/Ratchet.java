package io.capoa.runtime.webhook;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.capoa.api.rules.Findings.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Tells the findings of an update from those that the object had before: these do not lock its owner out. The entry of
 * a list has been there before if its value has, wherever in the list.
 *
 * @param object as it is to be
 * @param before as it is stored
 */
record Ratchet(JsonNode object, JsonNode before) {

    private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

    /** A path of plain fields, at least one of them with an index; annotations have their name in brackets. */
    private static final Pattern IN_LIST = Pattern.compile("[A-Za-z0-9.]+(?:\\[\\d+][A-Za-z0-9.]*)+");

    private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9.]+");

    /** What two findings have in common if they are of the same entry. */
    private record Identity(String words, JsonNode value) {}

    /** The findings without those of before, each of which accounts for one. */
    List<Finding> added(List<Finding> now, List<Finding> then) {
        return added(now, then, false);
    }

    /** The same of findings about a schema: another wrong value of a field is new. */
    List<Finding> addedValues(List<Finding> now, List<Finding> then) {
        return added(now, then, true);
    }

    private List<Finding> added(List<Finding> now, List<Finding> then, boolean byValue) {
        Map<Identity, Integer> left = new HashMap<>();
        then.forEach(old -> left.merge(identity(before, old, byValue), 1, Integer::sum));
        return now.stream()
                .filter(finding -> left.merge(identity(object, finding, byValue), -1, Integer::sum) < 0)
                .toList();
    }

    private static Identity identity(JsonNode root, Finding finding, boolean byValue) {
        boolean inList = IN_LIST.matcher(finding.field()).matches();
        JsonNode value = inList || (byValue && FIELD.matcher(finding.field()).matches())
                ? at(root, finding.field())
                : MissingNode.getInstance();
        // A rule about an object is broken by a combination: its other fields may change.
        return new Identity(
                anywhere(finding.toString()), value.isObject() && !inList ? MissingNode.getInstance() : value);
    }

    private static String anywhere(String text) {
        return INDEX.matcher(text).replaceAll("[]");
    }

    private static JsonNode at(JsonNode root, String path) {
        return root.at(
                JsonPointer.compile("/" + INDEX.matcher(path).replaceAll("/$1").replace('.', '/')));
    }
}
