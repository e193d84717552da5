package io.capoa.api.crds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The CRDs are the reference of the API: {@code kubectl explain} has a sentence for everything. */
class DescriptionsTest {

    static final List<Class<? extends HasMetadata>> KINDS = Kinds.ALL;

    @ParameterizedTest
    @FieldSource("KINDS")
    void everyFieldIsDescribedInWholeSentences(Class<? extends HasMetadata> kind) throws IOException {
        SortedMap<String, String> descriptions = Schemas.descriptions(kind);

        assertThat(descriptions)
                .isNotEmpty()
                .allSatisfy((field, description) -> assertThat(description)
                        .as(field)
                        .matches("[A-Z].{10,}\\.")
                        .doesNotContain("  "));
    }

    /** clusterctl replaces variables in a provider's manifests and stops at one that is not set. */
    @Test
    void noCrdHoldsWhatClusterctlTakesForAVariable() {
        assertThat(CrdFiles.generate())
                .allSatisfy((file, content) ->
                        assertThat(content).as(file).doesNotContain("${").doesNotContain("$$"));
    }
}
