package io.capoa.runtime.webhook;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.rules.Findings.Finding;
import java.util.ArrayList;
import java.util.List;
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

    /** The findings without those of before, each of which accounts for one. */
    List<Finding> added(List<Finding> now, List<Finding> then) {
        List<Finding> added = new ArrayList<>(now);
        then.forEach(old -> added.stream()
                .filter(finding -> isSame(finding, old))
                .findFirst()
                .ifPresent(added::remove));
        return added;
    }

    private boolean isSame(Finding finding, Finding old) {
        return anywhere(finding.toString()).equals(anywhere(old.toString()))
                && (!IN_LIST.matcher(finding.field()).matches()
                        || at(object, finding.field()).equals(at(before, old.field())));
    }

    private static String anywhere(String text) {
        return INDEX.matcher(text).replaceAll("[]");
    }

    private static JsonNode at(JsonNode root, String path) {
        return root.at(
                JsonPointer.compile("/" + INDEX.matcher(path).replaceAll("/$1").replace('.', '/')));
    }
}
