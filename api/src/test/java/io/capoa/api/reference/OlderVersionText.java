package io.capoa.api.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An older version of a kind: one folded table of all fields, without descriptions. */
final class OlderVersionText {

    private static final List<String> TITLES = List.of("field", "type", "default", "validation");

    /** The older schemas list them, the generated ones do not. */
    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

    private final Validations validations;

    OlderVersionText(Patterns patterns) {
        this.validations = new Validations(patterns);
    }

    String of(Crd crd, Crd.Version version) {
        List<List<String>> rows = new ArrayList<>();
        for (Field part : Field.of(version.root())) {
            if (!OF_EVERY_OBJECT.contains(part.name())) {
                collect(part, "", rows);
            }
        }
        return """

                ### %s %s

                %s, deprecated; %d fields.

                <details>
                <summary>Fields of %s %s</summary>

                %s
                </details>
                """.formatted(
                        crd.kind(),
                        version.name(),
                        version.served() ? "Served" : "Not served",
                        rows.size(),
                        crd.kind(),
                        version.name(),
                        Markdown.table(TITLES, rows));
    }

    private void collect(Field field, String path, List<List<String>> rows) {
        rows.add(List.of(
                Markdown.code(path + field.name()) + (field.required() ? " (required)" : ""),
                Markdown.code(field.type()),
                SectionText.defaultOf(field),
                validations.of(field.schema())));
        Field.of(field.element()).forEach(inner -> collect(inner, path + field.step() + ".", rows));
    }
}
