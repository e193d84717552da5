package io.capoa.runtime.client;

import io.capoa.api.schema.Patterns;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of objects, namespaces and kinds, as the API server takes them (RFC 1123). A name from a field is text from a
 * stranger: only what passes here may become part of a request.
 */
public final class ObjectName {

    private static final int LONGEST = 253;
    private static final int LONGEST_NAMESPACE = 63;
    private static final int QUOTED = 60;

    /** As {@link Patterns#DNS_SUBDOMAIN}, possessive, so that a hostile text costs no more than a valid one. */
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]++(?:-++[a-z0-9]++)*+(?:\\.[a-z0-9]++(?:-++[a-z0-9]++)*+)*+");

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]++(?:-++[a-z0-9]++)*+");
    private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,62}");

    private ObjectName() {}

    /** Whether the text can be the name of an object or an API group. */
    public static boolean isValid(@Nullable String name) {
        return name != null
                && name.length() <= LONGEST
                && SUBDOMAIN.matcher(name).matches();
    }

    /** Whether the text can be the name of a namespace. */
    public static boolean isNamespace(@Nullable String name) {
        return name != null
                && name.length() <= LONGEST_NAMESPACE
                && LABEL.matcher(name).matches();
    }

    /** Whether the text can be a kind. */
    public static boolean isKind(@Nullable String kind) {
        return kind != null && KIND.matcher(kind).matches();
    }

    /**
     * The message for a field that must hold an object's name.
     *
     * @param field where the name stands, such as {@code spec.config.pullSecretRef.name}
     * @return a sentence with the remedy; empty for a valid name
     */
    public static Optional<String> problem(String field, @Nullable String name) {
        return isValid(name)
                ? Optional.empty()
                : Optional.of(
                        "%s is %s, which is not the name of an object: write at most %d lower-case letters, digits, - and ."
                                .formatted(field, quoted(name), LONGEST));
    }

    /**
     * The name, if it is one.
     *
     * @throws InvalidNameException if it is not
     */
    public static String require(@Nullable String name) {
        if (name == null || !isValid(name)) {
            throw new InvalidNameException(quoted(name) + " is not the name of an object");
        }
        return name;
    }

    /** The text as a message may show it: short and without control characters. */
    public static String quoted(@Nullable String text) {
        if (text == null) {
            return "absent";
        }
        String shown = text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…";
        return "\"" + shown.replaceAll("\\p{C}", "?") + "\"";
    }
}
