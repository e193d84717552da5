package io.capoa.api.reference;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.reference.ObjectSection.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The text of an object's section: a table of its fields, and the messages of its CEL rules. */
final class SectionText {

    private static final List<String> TITLES = List.of("field", "type", "default", "validation", "description");

    private final ObjectSections sections;
    private final Validations validations;

    SectionText(ObjectSections sections, Patterns patterns) {
        this.sections = sections;
        this.validations = new Validations(patterns);
    }

    /** Anchor, heading, table and rules. The root of a kind has its heading already. */
    String of(ObjectSection section) {
        var text = new StringBuilder();
        if (!section.isRoot()) {
            text.append("\n").append(Markdown.anchor(section.place().anchor()));
            text.append("### ").append(Markdown.code(section.place().path())).append("\n");
        }
        if (!section.others().isEmpty()) {
            text.append("\nAlso at ").append(places(section)).append(".\n");
        }
        List<Field> fields = Field.of(section.schema());
        text.append("\n")
                .append(Markdown.table(
                        TITLES,
                        fields.stream().map(field -> row(section, field)).toList()));
        List<String> messages = Stream.concat(rules(section), fields.stream().flatMap(field -> field.rules().stream()))
                .map(rule -> Markdown.text(rule.path("message").asText()))
                .toList();
        if (!messages.isEmpty()) {
            text.append("\nRules, by the message of a rejection:\n\n");
            messages.forEach(message -> text.append("- ").append(message).append("\n"));
        }
        return text.toString();
    }

    private List<String> row(ObjectSection section, Field field) {
        Place place = section.place().field(field);
        return List.of(
                Markdown.code(field.name()) + (field.required() ? " (required)" : ""),
                type(field),
                defaultOf(field),
                validation(section, field),
                Stream.of(Markdown.text(field.schema().path("description").asText()), FurtherReading.on(place))
                        .filter(part -> !part.isEmpty())
                        .collect(joining(" ")));
    }

    private String type(Field field) {
        String type = Markdown.code(field.type());
        if (!field.holdsObjects()) {
            return type;
        }
        return Markdown.link(
                type, "#" + sections.describing(field.element()).place().anchor());
    }

    static String defaultOf(Field field) {
        JsonNode value = field.schema().path("default");
        if (value.isMissingNode()) {
            return "";
        }
        return Markdown.code(value.isTextual() && !value.asText().isEmpty() ? value.asText() : value.toString());
    }

    private String validation(ObjectSection section, Field field) {
        List<String> parts = new ArrayList<>();
        List<JsonNode> rules = Stream.concat(
                        field.rules().stream(),
                        rules(section)
                                .filter(rule -> rule.path("fieldPath").asText().equals("." + field.name())))
                .toList();
        if (rules.stream().anyMatch(rule -> rule.path("rule").asText().contains("oldSelf"))) {
            parts.add("immutable");
        }
        String schema = validations.of(field.schema());
        if (!schema.isEmpty()) {
            parts.add(schema);
        }
        if (!rules.isEmpty()) {
            parts.add("rules below");
        }
        return String.join("; ", parts);
    }

    private static Stream<JsonNode> rules(ObjectSection section) {
        return Field.elements(section.schema().path("x-kubernetes-validations"));
    }

    private static String places(ObjectSection section) {
        var byKind = new TreeMap<String, List<String>>();
        section.others()
                .forEach(place -> byKind.computeIfAbsent(place.kind(), kind -> new ArrayList<>())
                        .add(Markdown.code(place.path())));
        return byKind.entrySet().stream()
                .map(kind -> String.join(", ", kind.getValue())
                        + (kind.getKey().equals(section.place().kind()) ? "" : " of " + kind.getKey()))
                .collect(joining("; "));
    }
}
