package io.capoa.runtime.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the answer to a write shows of others. */
class ConcurrentChangeDetectorTest {

    private static final Map<String, Object> KNOWN = Map.of(
            "metadata", Map.of("labels", Map.of("a", "b")),
            "spec", Map.of("approved", false, "role", "master"),
            "status", Map.of("conditions", List.of(condition("Ready", "False"))));

    private static Map<String, Object> condition(String type, String status) {
        return Map.of("type", type, "status", status);
    }

    private static Map<String, Object> with(String field, Object value) {
        var tree = new java.util.TreeMap<String, Object>(KNOWN);
        tree.put(field, value);
        return tree;
    }

    @Test
    void whatWasWritten_isOurs() {
        assertThat(ConcurrentChangeDetector.haveChanged(
                        KNOWN,
                        with("spec", Map.of("approved", true, "role", "master")),
                        Map.of("spec", Map.of("approved", true))))
                .isFalse();
        assertThat(ConcurrentChangeDetector.haveChanged(
                        with("spec", Map.of()),
                        with("spec", Map.of("nodeLabels", Map.of("a", "b"))),
                        Map.of("spec", Map.of("nodeLabels", Map.of("a", "b")))))
                .isFalse();
    }

    @Test
    void anythingElse_isNot() {
        assertThat(ConcurrentChangeDetector.haveChanged(
                        KNOWN,
                        with("spec", Map.of("approved", true, "role", "worker")),
                        Map.of("spec", Map.of("approved", true))))
                .isTrue();
        assertThat(ConcurrentChangeDetector.haveChanged(
                        KNOWN,
                        with("status", Map.of("conditions", List.of(condition("Ready", "True")))),
                        Map.of("spec", Map.of("approved", true))))
                .isTrue();
    }

    @Test
    void ofConditions_onlyTheTypesThatWereWritten_areOurs() {
        Map<String, Object> written = Map.of("status", Map.of("conditions", List.of(condition("UpToDate", "True"))));

        assertThat(ConcurrentChangeDetector.haveChanged(
                        KNOWN,
                        with(
                                "status",
                                Map.of(
                                        "conditions",
                                        List.of(condition("Ready", "False"), condition("UpToDate", "True")))),
                        written))
                .isFalse();
        assertThat(ConcurrentChangeDetector.haveChanged(
                        KNOWN,
                        with(
                                "status",
                                Map.of(
                                        "conditions",
                                        List.of(condition("Ready", "True"), condition("UpToDate", "True")))),
                        written))
                .isTrue();
        assertThat(ConcurrentChangeDetector.haveChanged(
                        with("status", Map.of()),
                        with("status", Map.of("conditions", List.of(condition("UpToDate", "True")))),
                        written))
                .isFalse();
    }

    @Test
    void ofMetadata_aVersionSaysNothing_aDeletionDoes() {
        var known = new ObjectMetaBuilder().withResourceVersion("1").withGeneration(1L);

        assertThat(ConcurrentChangeDetector.metadata(known.build()))
                .isEqualTo(ConcurrentChangeDetector.metadata(
                        known.withResourceVersion("2").build()));
        assertThat(ConcurrentChangeDetector.metadata(known.build()))
                .isNotEqualTo(ConcurrentChangeDetector.metadata(
                        known.withDeletionTimestamp("2026-01-01T00:00:00Z").build()));
    }
}
