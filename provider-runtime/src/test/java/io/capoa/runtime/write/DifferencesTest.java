package io.capoa.runtime.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DifferencesTest {

    @Test
    void whatIsAlreadyThere_isNoDifference() {
        Map<String, Object> actual =
                Map.of("spec", Map.of("replicas", 3L, "image", "a", "list", List.of(Map.of("name", "x", "port", 1))));

        assertThat(Differences.merging(
                        Map.of("spec", Map.of("replicas", 3, "list", List.of(Map.of("name", "x")))), actual))
                .isEmpty();
    }

    @Test
    void onlyTheFieldsThatDiffer_areKept() {
        Map<String, Object> actual = Map.of("spec", Map.of("role", "worker", "approved", true));

        assertThat(Differences.merging(Map.of("spec", Map.of("role", "master", "approved", true)), actual))
                .isEqualTo(Map.of("spec", Map.of("role", "master")));
    }

    @Test
    void nullRemovesAPresentField_andIsNothingForAnAbsentOne() {
        Map<String, Object> remove = Collections.singletonMap("hostname", null);

        assertThat(Differences.merging(remove, Map.of("hostname", "a"))).containsOnlyKeys("hostname");
        assertThat(Differences.merging(remove, Map.of())).isEmpty();
    }

    @Test
    void anEmptyObject_mustBeThere() {
        assertThat(Differences.applying(Map.of("agentBareMetal", Map.of()), Map.of()))
                .containsOnlyKeys("agentBareMetal");
        assertThat(Differences.applying(
                        Map.of("agentBareMetal", Map.of()),
                        Map.of("agentBareMetal", Map.of("agentSelector", Map.of()))))
                .isEmpty();
    }

    @Test
    void aShorterOrReorderedList_isADifference() {
        Map<String, Object> actual = Map.of("vips", List.of("a", "b"));

        assertThat(Differences.applying(Map.of("vips", List.of("a")), actual)).containsOnlyKeys("vips");
        assertThat(Differences.applying(Map.of("vips", List.of("b", "a")), actual))
                .containsOnlyKeys("vips");
    }

    @Test
    void ownerReferencesOfOthers_areNoDifferenceForAnApply() {
        Map<String, Object> ours = Map.of("uid", "1");
        Map<String, Object> theirs = Map.of("uid", "2");
        Map<String, Object> actual = Map.of("metadata", Map.of("ownerReferences", List.of(theirs, ours)));
        Map<String, Object> desired = Map.of("metadata", Map.of("ownerReferences", List.of(ours)));

        assertThat(Differences.applying(desired, actual)).isEmpty();
        assertThat(Differences.applying(desired, Map.of("metadata", Map.of("ownerReferences", List.of(theirs)))))
                .isNotEmpty();
    }

    @Test
    void thePreconditionStandsBesideTheOtherMetadata() {
        assertThat(Differences.onlyIf(Map.of("metadata", Map.of("labels", Map.of("a", "b"))), "resourceVersion", "7"))
                .isEqualTo(Map.of("metadata", Map.of("labels", Map.of("a", "b"), "resourceVersion", "7")));
    }
}
