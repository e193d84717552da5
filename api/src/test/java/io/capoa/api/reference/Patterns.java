package io.capoa.api.reference;

import java.util.ArrayList;
import java.util.List;

/** Regular expressions that are too long for a table: numbered in the order of their first use, listed at the end. */
final class Patterns {

    private static final int LONGEST_IN_A_TABLE = 24;

    private final List<String> listed = new ArrayList<>();

    /** The pattern, or a link to it. */
    String reference(String pattern) {
        // What looks like a link, as in [a](b), is listed as well: checks of links find it in a code span.
        if (pattern.length() <= LONGEST_IN_A_TABLE && !pattern.contains("](")) {
            return "pattern " + Markdown.code(pattern);
        }
        if (!listed.contains(pattern)) {
            listed.add(pattern);
        }
        int number = listed.indexOf(pattern) + 1;
        return Markdown.link("pattern " + number, "#pattern-" + number);
    }

    /** All patterns that {@link #reference} linked to. */
    String list() {
        var list = new StringBuilder();
        for (int i = 0; i < listed.size(); i++) {
            list.append("\n")
                    .append(Markdown.anchor("pattern-" + (i + 1)))
                    .append("Pattern %d:\n\n```\n%s\n```\n".formatted(i + 1, listed.get(i)));
        }
        return list.toString();
    }
}
