package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Environment variables in the command of a container: {@code $(A)} for Kubernetes, {@code $A} and {@code ${A}} for a shell. */
final class Variables {

    private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\(\\w+\\)|\\{\\w+}|\\w+)");

    private final Container container;
    /** By name; empty where the value is not in the manifest. */
    private final Map<String, Optional<String>> values = new LinkedHashMap<>();

    Variables(Container container) {
        this.container = container;
        container
                .list("env")
                .forEach(variable -> values.put(
                        Fields.text(variable, "name"),
                        Fields.any(variable, "valueFrom") == null
                                ? Optional.of(Fields.text(variable, "value"))
                                : Optional.empty()));
    }

    /** The first reference to a variable that nothing sets, as it is written; empty if every one may have a value. */
    Optional<String> undefined(String text) {
        return container.list("envFrom").isEmpty()
                ? REFERENCE
                        .matcher(text)
                        .results()
                        .filter(reference -> !isSet(reference))
                        .map(MatchResult::group)
                        .findFirst()
                : Optional.empty();
    }

    /** The text with the values that the manifest has, in place of their references. */
    String expand(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(reference -> Matcher.quoteReplacement(
                        values.getOrDefault(name(reference), Optional.empty()).orElse(reference.group())));
    }

    private boolean isSet(MatchResult reference) {
        boolean byKubernetes = reference.group().startsWith("$(");
        if (!byKubernetes && !container.hasShell()) {
            return false;
        }
        String name = name(reference);
        return values.containsKey(name)
                || (!byKubernetes && container.commandLine().contains(name + "="));
    }

    private static String name(MatchResult reference) {
        return reference.group().replaceAll("\\W", "");
    }
}
