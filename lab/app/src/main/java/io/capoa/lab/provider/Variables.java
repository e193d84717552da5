package io.capoa.lab.provider;

import io.capoa.lab.cluster.ClusterException;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Substitutes variables in clusterctl's files as clusterctl does: <code>${NAME}</code>, <code>${NAME:=default}</code>.
 */
public final class Variables {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*)(?::=([^}]*))?}");

    private Variables() {}

    /**
     * The text with these values, else defaults.
     *
     * @throws ClusterException if a variable has neither, or its syntax is not supported
     */
    public static String fill(String text, Map<String, String> values) {
        String filled = VARIABLE.matcher(text).replaceAll(found -> {
            String value = values.getOrDefault(found.group(1), found.group(2));
            if (value == null) {
                throw new ClusterException(
                        "The variable %s has no default: give it a value.".formatted(found.group(1)));
            }
            return Matcher.quoteReplacement(value);
        });
        int left = filled.indexOf("${");
        if (left >= 0) {
            throw new ClusterException("Only ${NAME} and ${NAME:=default} are supported, not \"%s\"."
                    .formatted(filled.substring(left).lines().findFirst().orElse("")));
        }
        return filled;
    }

    /** Names of the variables that lack a default at least once. */
    public static SortedSet<String> required(String text) {
        return names(text, variable -> variable.group(2) == null);
    }

    /** Names of all variables. */
    public static SortedSet<String> names(String text) {
        return names(text, variable -> true);
    }

    private static SortedSet<String> names(String text, Predicate<MatchResult> counts) {
        return VARIABLE.matcher(text)
                .results()
                .filter(counts)
                .map(variable -> variable.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
