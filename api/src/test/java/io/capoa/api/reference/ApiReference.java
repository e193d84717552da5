package io.capoa.api.reference;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Writes the API reference: every kind in v1beta1, then the older versions, then the patterns that both refer to. */
final class ApiReference {

    private static final String INTRODUCTION = """
            # API reference

            All kinds, versions and fields of the two providers, generated from the [CRDs](../crds); `ApiReferenceTest` keeps it up to date. On a cluster, `kubectl explain` shows the same:

            ```sh
            kubectl explain oacp.spec.config
            kubectl explain oac --recursive
            ```

            How to read the tables:

            - A **required** field must be set if its object is.
            - **Type** is the type in JSON, `[]string` a list and `map[string]string` a map. An object links to its own table; objects of the same structure share one.
            - **Validation** is what the API server checks. Long regular expressions are [listed at the end](#patterns), and the messages of CEL rules below each table. The webhooks of the managers check more.
            - `apiVersion`, `kind` and `metadata` are those of every Kubernetes object.

            [annotations.md](annotations.md) has the annotations and labels that are part of the API, [config/samples](../config/samples) complete clusters.

            """;

    private final List<Crd> crds;
    private final Patterns patterns = new Patterns();
    private final ObjectSections sections = new ObjectSections();
    private final SectionText sectionText = new SectionText(sections, patterns);
    private final OlderVersionText olderVersionText = new OlderVersionText(patterns);

    private ApiReference(List<Crd> crds) {
        this.crds = crds;
        crds.forEach(crd -> sections.add(crd.kind(), crd.current().root()));
    }

    /** The whole page. */
    static String of(List<Crd> crds) {
        return new ApiReference(crds).page();
    }

    private String page() {
        var page = new StringBuilder(INTRODUCTION);
        page.append(contents());
        crds.forEach(crd -> page.append(kind(crd)));
        page.append("""

                ## Older versions

                The API versions of the Go provider. Every object can be read and written in each version of its kind; [older-versions.md](older-versions.md) maps their fields to v1beta1.
                """);
        crds.forEach(crd -> crd.older().forEach(version -> page.append(olderVersionText.of(crd, version))));
        page.append("\n## Patterns\n").append(patterns.list());
        return page.toString();
    }

    private String contents() {
        List<List<String>> rows = crds.stream()
                .map(crd -> List.of(
                        Markdown.link(crd.kind(), "#" + crd.kind().toLowerCase(Locale.ROOT)),
                        Markdown.code(crd.group()),
                        Markdown.code(crd.current().name()),
                        crd.older().stream()
                                .map(version -> olderLink(crd, version))
                                .collect(joining(", "))))
                .toList();
        return Markdown.table(List.of("kind", "API group", "version", "older versions"), rows);
    }

    private static String olderLink(Crd crd, Crd.Version version) {
        return Markdown.link(
                Markdown.code(version.name()), "#%s-%s".formatted(crd.kind().toLowerCase(Locale.ROOT), version.name()));
    }

    private String kind(Crd crd) {
        JsonNode root = crd.current().root();
        return """

                ## %s

                %s

                %s
                Reference on a cluster: `kubectl explain %s --recursive`.
                %s%s""".formatted(
                        crd.kind(),
                        Markdown.text(root.path("description").asText()),
                        facts(crd),
                        crd.resource(),
                        sections.of(crd.kind()).stream().map(sectionText::of).collect(joining()),
                        example(crd));
    }

    private static String facts(Crd crd) {
        return Stream.of(
                        "`apiVersion: %s/%s`"
                                .formatted(crd.group(), crd.current().name()),
                        "Scope: " + crd.spec().path("scope").asText(),
                        names("Short names", crd.shortNames()),
                        names("Category", Field.strings(crd.spec().at("/names/categories"))),
                        names("Subresources", crd.current().subresources()))
                .filter(fact -> !fact.isEmpty())
                .map(fact -> "- " + fact + "\n")
                .collect(joining());
    }

    private static String names(String title, List<String> names) {
        return names.isEmpty()
                ? ""
                : title + ": " + names.stream().map(Markdown::code).collect(joining(", "));
    }

    /** An object that uses every field; FullObjectTest holds it to that. */
    private static String example(Crd crd) {
        return """

                <details>
                <summary>Example of %s with every field</summary>

                ```yaml
                %s```

                It shows the syntax; some of its fields exclude each other.

                </details>
                """.formatted(crd.kind(), sample(crd.kind()));
    }

    private static String sample(String kind) {
        String name = "/io/capoa/api/" + kind.toLowerCase(Locale.ROOT) + ".yaml";
        try (InputStream in = Objects.requireNonNull(ApiReference.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip() + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
