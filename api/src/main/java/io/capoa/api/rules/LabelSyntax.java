package io.capoa.api.rules;

import java.util.regex.Pattern;

/** Kubernetes' syntax of label keys and values. */
final class LabelSyntax {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
    private static final Pattern PREFIX =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private LabelSyntax() {}

    static boolean isKey(String text) {
        int slash = text.indexOf('/');
        return NAME.matcher(text.substring(slash + 1)).matches()
                && (slash < 0 || PREFIX.matcher(text.substring(0, slash)).matches());
    }

    static boolean isValue(String text) {
        return text.isEmpty() || NAME.matcher(text).matches();
    }
}
