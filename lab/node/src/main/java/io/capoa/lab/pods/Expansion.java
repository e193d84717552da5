package io.capoa.lab.pods;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code $(VARIABLE)} in commands, arguments and variables, as a kubelet expands it. */
final class Expansion {

    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\(([-._a-zA-Z][-._a-zA-Z0-9]*)\\))");

    private Expansion() {}

    /** Unknown references are kept; {@code $$} is a dollar sign. */
    static String expand(String text, Map<String, String> variables) {
        return REFERENCE.matcher(text).replaceAll(found -> {
            String name = found.group(2);
            String value = name == null ? "$" : variables.getOrDefault(name, found.group());
            return Matcher.quoteReplacement(value);
        });
    }
}
