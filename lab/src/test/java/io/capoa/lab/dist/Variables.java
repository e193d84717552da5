package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fills in the variables of clusterctl's files as clusterctl does: <code>${NAME}</code>, <code>${NAME:=default}</code>. */
final class Variables {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*)(?::=([^}]*))?}");

    private Variables() {}

    /** The text with these values, and defaults where there is none; a variable that has neither fails the test. */
    static String fill(String text, Map<String, String> values) {
        Matcher matcher = VARIABLE.matcher(text);
        String filled = matcher.replaceAll(found -> {
            String value = values.getOrDefault(found.group(1), found.group(2));
            assertThat(value).as("value of %s", found.group(1)).isNotNull();
            return Matcher.quoteReplacement(value);
        });
        assertThat(filled).doesNotContain("${");
        return filled;
    }

    /** Names of the variables that have no default somewhere. */
    static SortedSet<String> required(String text) {
        SortedSet<String> names = new TreeSet<>();
        Matcher matcher = VARIABLE.matcher(text);
        while (matcher.find()) {
            if (matcher.group(2) == null) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }
}
