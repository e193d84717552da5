package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.reference.ObjectSection.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/api.md} is what the CRDs say; {@code -Dcapoa.golden=write} rewrites it. */
class ApiReferenceTest {

    private static final Path FILE = Path.of("..", "docs", "api.md");
    private static final String REWRITE = "mvn -pl api test -Dtest=ApiReferenceTest -Dcapoa.golden=write";

    private static final List<Crd> CRDS = Crd.all();

    private final String page = ApiReference.of(CRDS);

    @Test
    void theCommittedReferenceIsTheGeneratedOne() throws IOException {
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(FILE, page);
        }

        String committed = Files.exists(FILE) ? Files.readString(FILE) : "";
        assertThat(committed.equals(page))
                .as(
                        "docs/api.md is what the CRDs say; %s; if the change is meant, run: %s",
                        firstDifference(committed, page), REWRITE)
                .isTrue();
    }

    /** The page is too long for a comparison of the whole. */
    private static String firstDifference(String committed, String generated) {
        String[] before = committed.split("\n", -1);
        String[] after = generated.split("\n", -1);
        int line = Arrays.mismatch(before, after);
        return line < 0
                ? "no line differs"
                : "line %d is <%s>, generated is <%s>".formatted(line + 1, at(before, line), at(after, line));
    }

    private static String at(String[] lines, int line) {
        return line < lines.length ? lines[line] : "(end)";
    }

    @Test
    void generatingTwiceGivesTheSamePage() {
        assertThat(ApiReference.of(Crd.all())).isEqualTo(page);
    }

    @Test
    void everyFieldHasARowInTheTableOfItsObject() {
        var sections = new ObjectSections();
        CRDS.forEach(crd -> sections.add(crd.kind(), crd.current().root()));

        CRDS.forEach(crd -> assertRows(crd.current().root(), sections));
    }

    private void assertRows(JsonNode object, ObjectSections sections) {
        Place place = sections.describing(object).place();
        String start = place.path().isEmpty() ? "## " + place.kind() + "\n" : "<a id=\"" + place.anchor() + "\">";
        String table = after(start).split("\n(<a id|<details>)", 2)[0];
        for (Field field : Field.of(object)) {
            assertThat(table).contains("\n| `" + field.name() + "`");
            if (field.holdsObjects()) {
                assertRows(field.element(), sections);
            }
        }
    }

    @Test
    void everyFieldOfAnOlderVersionHasARow() {
        for (Crd crd : CRDS) {
            for (Crd.Version older : crd.older()) {
                String table =
                        after("### " + crd.kind() + " " + older.name() + "\n").split("</details>", 2)[0];
                for (Field part : Field.of(older.root().path("properties").path("spec"))) {
                    assertThat(table).contains("\n| `spec." + part.name() + "`");
                }
            }
        }
    }

    private String after(String start) {
        assertThat(page).containsOnlyOnce("\n" + start);
        return page.substring(page.indexOf("\n" + start) + 1);
    }

    @Test
    void everyMessageOfARuleIsShown() {
        for (Crd crd : CRDS) {
            List<JsonNode> rules = crd.current().root().findValues("x-kubernetes-validations");
            assertThat(rules.stream().flatMap(Field::elements))
                    .allSatisfy(rule -> assertThat(page)
                            .contains(
                                    "\n- " + Markdown.text(rule.path("message").asText()) + "\n"));
        }
    }

    @Test
    void everyLinkWithinThePageHasATarget() {
        Set<String> targets = found("<a id=\"([^\"]+)\">");
        found("(?m)^#+ (.+)$")
                .forEach(heading -> targets.add(heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-')));

        assertThat(targets).containsAll(found("\\]\\(#([^)]+)\\)"));
    }

    @Test
    void noTwoObjectsShareAnAnchor() {
        List<String> anchors = Pattern.compile("<a id=\"([^\"]+)\">")
                .matcher(page)
                .results()
                .map(result -> result.group(1))
                .toList();

        assertThat(anchors).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void theRowsOfATableHaveTheCellsOfItsHeader() {
        int expected = 0;
        String before = "";
        for (String line : page.split("\n", -1)) {
            if (line.startsWith("|")) {
                int cells = line.split("(?<!\\\\)\\|", -1).length;
                expected = before.startsWith("|") ? expected : cells;
                assertThat(cells).as(line).isEqualTo(expected);
            }
            before = line;
        }
    }

    @Test
    void furtherReadingIsAboutFieldsThatExist() {
        Set<String> places = new TreeSet<>();
        CRDS.forEach(crd -> places(new Place(crd.kind(), ""), crd.current().root(), places));

        assertThat(places).containsAll(FurtherReading.places());
    }

    private static void places(Place place, JsonNode object, Set<String> into) {
        for (Field field : Field.of(object)) {
            Place at = place.field(field);
            into.add(at.kind() + " " + at.path());
            places(at, field.element(), into);
        }
    }

    private Set<String> found(String regex) {
        return Pattern.compile(regex)
                .matcher(page)
                .results()
                .map((MatchResult result) -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
