package io.capoa.api.rules.node;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates the settings of a node and normalizes them for the node's scripts: text in which only {@code ${NAME}} has a
 * meaning, as a variable of the config drive's metadata.
 */
public final class NodeValues {

    private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(" + NAME + ")\\}|(" + NAME + "))");
    private static final Pattern HOSTNAME = Pattern.compile("(?:" + VARIABLE.pattern() + ")|(" + NAME + ")");
    private static final Pattern LABEL_KEY = Pattern.compile(
            "(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_REST = Pattern.compile("[A-Za-z0-9._-]*");
    private static final Pattern PROVIDER_ID_REST = Pattern.compile("[A-Za-z0-9._:/@%+=,~-]*");
    private static final Pattern DIRECTORY = Pattern.compile("/[a-zA-Z0-9_./-]+");

    private NodeValues() {}

    /**
     * {@code nodeRegistration.name} as a reference to a metadata variable.
     *
     * @param name {@code $VAR}, <code>${VAR}</code> or {@code VAR}
     */
    public static String hostname(String name) {
        var matcher = HOSTNAME.matcher(name.strip());
        if (!matcher.matches()) {
            throw new InvalidNodeRegistrationException(
                    "invalid nodeRegistration.name: it must be one metadata variable, such as $METADATA_NAME");
        }
        return reference(firstNonNull(matcher.group(1), matcher.group(2), matcher.group(3)));
    }

    /**
     * {@code nodeRegistration.kubeletExtraLabels} as {@code key=value} lines. An entry without {@code =} is left out;
     * quotes around a value belong to the way of writing it, not to the label.
     */
    public static List<String> labels(List<String> entries) {
        List<String> lines = new ArrayList<>();
        for (String entry : entries) {
            int split = entry.indexOf('=');
            if (split > 0) {
                String key = entry.substring(0, split).strip();
                if (!LABEL_KEY.matcher(key).matches()) {
                    throw new InvalidNodeRegistrationException("invalid kubelet extra labels: entry "
                            + (entries.indexOf(entry) + 1) + " has a key that a label cannot have");
                }
                String value = unquoted(entry.substring(split + 1).strip());
                lines.add(key + "=" + text(value, LABEL_REST, "invalid kubelet extra labels: the value of " + key));
            }
        }
        return lines;
    }

    /** Whether a line of {@link #labels} has a variable, which only the host's metadata resolve. */
    public static boolean hasVariable(String label) {
        return label.contains("${");
    }

    /** {@code nodeRegistration.providerID} with its variables. */
    public static String providerId(String providerId) {
        return text(unquoted(providerId.strip()), PROVIDER_ID_REST, "invalid providerID: it");
    }

    /** The directory of run-once markers without a slash at its end. */
    public static String directory(String path, String field) {
        String clean = path.replaceAll("/{2,}", "/").replaceAll("/+$", "");
        if (!DIRECTORY.matcher(clean).matches()) {
            throw new InvalidNodeRegistrationException(
                    "invalid " + field + ": it must be an absolute path of letters, digits and ._-");
        }
        return clean;
    }

    /** The names of the variables in a value, as it was written; none in {@code null}. */
    public static List<String> variables(@org.jspecify.annotations.Nullable String value) {
        return value == null
                ? List.of()
                : VARIABLE.matcher(value)
                        .results()
                        .map(match -> firstNonNull(match.group(1), match.group(2), null))
                        .distinct()
                        .toList();
    }

    private static String text(String value, Pattern allowed, String what) {
        if (value.startsWith("$") && !VARIABLE.matcher(value).matches()) {
            throw new InvalidNodeRegistrationException(what + " must be one variable when it begins with $");
        }
        if (!allowed.matcher(VARIABLE.matcher(value).replaceAll("")).matches()) {
            throw new InvalidNodeRegistrationException(what
                    + " has characters that are neither allowed there nor part of a variable such as $METADATA_UUID");
        }
        return VARIABLE.matcher(value)
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(
                        reference(firstNonNull(match.group(1), match.group(2), null))));
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static String reference(String variable) {
        return "${" + variable + "}";
    }

    private static String firstNonNull(
            @org.jspecify.annotations.Nullable String a,
            @org.jspecify.annotations.Nullable String b,
            @org.jspecify.annotations.Nullable String c) {
        return a != null ? a : b != null ? b : c != null ? c : "";
    }
}
