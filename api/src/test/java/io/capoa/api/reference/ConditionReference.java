package io.capoa.api.reference;

import static java.util.stream.Collectors.joining;

import io.capoa.api.reference.ConditionTexts.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Writes the reference of conditions, reasons and Events. */
final class ConditionReference {

    private static final String INTRODUCTION = """
            # Conditions and Events

            What the conditions of our kinds mean, and for each reason its meaning, typical cause and remedy. Generated from [conditions.yaml](../api/src/test/resources/io/capoa/api/reference/conditions.yaml); `ConditionReferenceTest` compares its names with the constants of the API. [troubleshooting.md](troubleshooting.md) begins with symptoms.

            ```sh
            kubectl describe oacp NAME
            kubectl describe oac NAME
            kubectl get oac NAME -o jsonpath='{range .status.conditions[*]}{.type}={.status} {.reason}: {.message}{"\\n"}{end}'
            kubectl get events --field-selector involvedObject.name=NAME
            ```

            - The message of a condition names the object and the next step. Read it first; this page has what is the same for all messages of a reason.
            - `observedGeneration` is the `metadata.generation` that the condition was computed from. A condition with an older one is out of date.
            - A reason that is not listed here is of an older version of the providers.
            - Sizes that are too large, with their messages and remedies, are in [troubleshooting.md](troubleshooting.md#something-is-too-large).

            """;

    private static final List<String> STATUSES = List.of("True", "False", "Unknown");

    private ConditionReference() {}

    /** The whole page. */
    static String of(List<ConditionTexts> kinds) {
        return INTRODUCTION
                + contents(kinds)
                + kinds.stream().map(ConditionReference::section).collect(joining());
    }

    private static String contents(List<ConditionTexts> kinds) {
        return Markdown.table(
                List.of("of", "conditions", "reasons"),
                kinds.stream()
                        .map(kind -> List.of(
                                Markdown.link(kind.kind(), "#" + kind.anchor("").replaceFirst("-$", "")),
                                kind.conditions().isEmpty()
                                        ? ""
                                        : String.valueOf(kind.conditions().size()),
                                String.valueOf(kind.reasons().size())))
                        .toList());
    }

    private static String section(ConditionTexts kind) {
        Map<String, Reason> sorted = new TreeMap<>(kind.reasons());
        var section = new StringBuilder("\n## " + kind.kind() + "\n\n" + kind.about() + "\n");
        if (!kind.conditions().isEmpty()) {
            section.append("\n").append(conditions(kind));
        }
        List<List<String>> problems = rows(kind, sorted, false);
        if (!problems.isEmpty()) {
            section.append("\nReasons that ask you to wait or to act:\n\n")
                    .append(Markdown.table(
                            List.of("reason", "of", "Event", "meaning", "typical cause", "remedy"), problems));
        }
        List<List<String>> normal = rows(kind, sorted, true);
        if (!normal.isEmpty()) {
            section.append("\nReasons that need nothing:\n\n")
                    .append(Markdown.table(List.of("reason", "of", "Event", "meaning"), normal));
        }
        return section.toString();
    }

    private static String conditions(ConditionTexts kind) {
        List<String> titles = new ArrayList<>(List.of("condition", "healthy"));
        titles.addAll(STATUSES);
        titles.add("reasons");
        return Markdown.table(
                titles,
                kind.conditions().entrySet().stream()
                        .map(type -> {
                            List<String> row = new ArrayList<>();
                            row.add(named(kind, type.getKey()));
                            row.add(type.getValue().good());
                            STATUSES.forEach(status ->
                                    row.add(type.getValue().meaning(status).orElse("")));
                            row.add(reasonsOf(kind, type.getKey()));
                            return row;
                        })
                        .toList());
    }

    private static String reasonsOf(ConditionTexts kind, String type) {
        return kind.reasons().entrySet().stream()
                .filter(reason ->
                        reason.getValue().on().stream().anyMatch(condition -> condition.startsWith(type + "=")))
                .map(reason -> Markdown.link(Markdown.code(reason.getKey()), "#" + kind.anchor(reason.getKey())))
                .sorted()
                .collect(joining(", "));
    }

    private static List<List<String>> rows(ConditionTexts kind, Map<String, Reason> reasons, boolean normal) {
        return reasons.entrySet().stream()
                .filter(reason -> reason.getValue().normal() == normal)
                .map(reason -> row(kind, reason.getKey(), reason.getValue()))
                .toList();
    }

    private static List<String> row(ConditionTexts kind, String name, Reason text) {
        List<String> row = new ArrayList<>(List.of(
                named(kind, name),
                text.on().stream()
                        .map(condition -> condition.split("=", 2))
                        .map(condition -> Markdown.code(condition[0]) + " " + condition[1])
                        .collect(joining(", ")),
                Objects.requireNonNullElse(text.event(), ""),
                text.meaning()));
        if (!text.normal()) {
            row.add(Objects.requireNonNull(text.cause(), name));
            row.add(Objects.requireNonNull(text.remedy(), name));
        }
        return row;
    }

    private static String named(ConditionTexts kind, String name) {
        return Markdown.inlineAnchor(kind.anchor(name)) + Markdown.code(name);
    }
}
