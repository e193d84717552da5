package io.capoa.lint.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.capoa.api.conditions.PlannedFinding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading of manifests that a user wrote, or an attacker. */
class ManifestReaderTest {

    private static final Set<String> KINDS = Set.of("DaemonSet");

    @Test
    void anErrorNamesFileLineAndRemedy() {
        assertThat(read("a: b\nc: [d\ne: f\n"))
                .containsExactly(new Finding(
                        Severity.BLOCKING,
                        "a.yaml",
                        "line 3",
                        "is not YAML (expected ',' or ']', but got :)",
                        "and the installer cannot apply it",
                        "correct the line, for example its indentation"));
    }

    @Test
    void aTemplate_isNamedAsSuch() {
        assertThat(read("kind: A\nimage: {{ .image }}\n")).singleElement().satisfies(finding -> {
            assertThat(finding.path()).isEqualTo("line 2");
            assertThat(finding.remedy()).isEqualTo("render the template before you add it");
        });
    }

    /** Twelve files of 300 KB in four ConfigMaps would be more than a million objects at the same time. */
    @Test
    void valuesOfAllFilesTogether_areLimited() {
        String text = "apiVersion: apps/v1\nkind: DaemonSet\nspec: [" + "{},".repeat(60_000) + "]";
        Manifests read =
                ManifestReader.read(List.of(new ManifestFile("a.yaml", text), new ManifestFile("b.yaml", text)), KINDS);

        assertThat(read.objects()).hasSize(1);
        assertThat(read.unreadable()).singleElement().satisfies(finding -> {
            assertThat(finding.object()).isEqualTo("b.yaml");
            assertThat(finding.what()).contains("all manifests together have more than 200000 values");
        });
    }

    @Test
    void depth_isLimited() {
        assertThat(read("a: " + "[".repeat(200_000)))
                .singleElement()
                .extracting(Finding::what)
                .isEqualTo("cannot be read (it is nested more than 100 levels deep)");
    }

    /** Its value took the only carrier of virtual threads for longer than the lease lasts. */
    @ParameterizedTest
    @ValueSource(strings = {"%s", "-%s", "0.%s", "1e%s", "%s.5e7"})
    void theDigitsOfANumber_areLimited(String form) {
        String text = "spec: {replicas: " + form.formatted("9".repeat(1_000_000)) + "}\n";
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(read(text))
                        .singleElement()
                        .extracting(Finding::what)
                        .isEqualTo("cannot be read (a number has more than 100 digits)"));
    }

    @Test
    void aLongTextOfDigits_isNoNumber() {
        assertThat(read("apiVersion: v1\nkind: Secret\ndata: {a: '" + "9".repeat(1_000_000) + "'}\n"))
                .isEmpty();
    }

    @Test
    void theNumberOfValues_isLimited() {
        assertThat(read("a: [" + "1,".repeat(300_000) + "1]"))
                .singleElement()
                .extracting(Finding::what)
                .isEqualTo("cannot be read (all manifests together have more than 200000 values)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a: &a [*a]' | an alias refers to what it is part of
            'a: &a {b: {c: [*a]}}' | an alias refers to what it is part of
            """)
    void nothingContainsItself(String text, String what) {
        assertThat(read(text)).singleElement().extracting(Finding::what).isEqualTo("cannot be read (" + what + ")");
    }

    @Test
    void aliases_areLimited() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            String alias = "*a" + (i - 1);
            bomb.append("a%d: &a%d [%s]\n"
                    .formatted(i, i, String.join(", ", List.of(alias, alias, alias, alias, alias, alias, alias))));
        }

        assertThat(read(bomb.toString()))
                .singleElement()
                .extracting(Finding::severity)
                .isEqualTo(Severity.BLOCKING);
    }

    @ParameterizedTest
    @CsvSource({"!!java.lang.Runtime {}", "!unknown 3"})
    void noTagMakesAnObject(String text) {
        assertThat(read(text)).hasSize(1);
    }

    @Test
    void aList_standsForItsItems_butNotForThoseOfAnotherList() {
        Manifests manifests = manifests("""
                apiVersion: v1
                kind: List
                items:
                  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
                  - apiVersion: v1
                    kind: List
                    items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}]
                """);

        assertThat(manifests.has("ConfigMap", "", "a")).isTrue();
        assertThat(manifests.has("ConfigMap", "", "b")).isFalse();
    }

    @Test
    void ofForeignKinds_theNamesAreKept() {
        Manifests manifests =
                manifests("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {c: d}");

        assertThat(manifests.unreadable()).isEmpty();
        assertThat(manifests.has("ConfigMap", "b", "a")).isTrue();
        assertThat(manifests.has("ConfigMap", "", "a")).isFalse();
        assertThat(manifests.objects()).singleElement().satisfies(object -> {
            assertThat(object.label()).isEqualTo("ConfigMap b/a");
            assertThat(object.content()).isEmpty();
        });
    }

    private static List<Finding> read(String text) {
        return manifests(text).unreadable();
    }

    private static Manifests manifests(String text) {
        return ManifestReader.read(List.of(new ManifestFile("a.yaml", text)), KINDS);
    }
}
