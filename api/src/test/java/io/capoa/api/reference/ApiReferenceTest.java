package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.reference.ObjectSection.Place;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** {@code docs/api.md} is what the CRDs say; {@code -Dcapoa.golden=write} rewrites it. */
class ApiReferenceTest {

    private static final List<Crd> CRDS = Crd.all();

    private final String page = ApiReference.of(CRDS);
    private final GoldenPage golden = new GoldenPage("api.md", page, ApiReferenceTest.class);

    @Test
    void theCommittedReferenceIsTheGeneratedOne() throws IOException {
        golden.assertCommitted();
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
    void everyLinkHasATarget() throws IOException {
        golden.assertLinksHaveTargets();
    }

    @Test
    void noTwoObjectsShareAnAnchor() {
        golden.assertAnchorsAreUnique();
    }

    @Test
    void theRowsOfATableHaveTheCellsOfItsHeader() {
        golden.assertTablesAreEven();
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
}
