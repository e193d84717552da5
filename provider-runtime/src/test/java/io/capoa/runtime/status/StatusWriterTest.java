package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.junit.jupiter.api.Test;

/** What the answer to a write of the status shows of others. */
class StatusWriterTest {

    private final ObjectMeta observed = new ObjectMetaBuilder()
            .withGeneration(1L)
            .withResourceVersion("10")
            .addToLabels("a", "b")
            .build();

    @Test
    void anotherSpecLabelOrDeletion_isNotOurOwnWrite() {
        assertThat(overtaken(new ObjectMetaBuilder(observed).withGeneration(2L)))
                .isTrue();
        assertThat(overtaken(new ObjectMetaBuilder(observed).addToLabels("c", "d")))
                .isTrue();
        assertThat(overtaken(new ObjectMetaBuilder(observed).addToAnnotations("c", "d")))
                .isTrue();
        assertThat(overtaken(new ObjectMetaBuilder(observed).withDeletionTimestamp("2026-01-01T00:00:00Z")))
                .isTrue();
    }

    @Test
    void anotherVersionAlone_isOurOwnWrite() {
        assertThat(overtaken(new ObjectMetaBuilder(observed).withResourceVersion("11")))
                .isFalse();
    }

    private boolean overtaken(ObjectMetaBuilder now) {
        return StatusWriter.isOvertaken(observed, now.build());
    }
}
