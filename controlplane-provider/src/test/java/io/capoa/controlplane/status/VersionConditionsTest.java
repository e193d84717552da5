package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a requested version is reported as not running. */
class VersionConditionsTest {

    @ParameterizedTest
    @CsvSource({
        "true, 4.20.5, 4.20.3, true",
        "true, 4.20.3, 4.20.5, true",
        "true, 4.20.3, 4.20.3, false",
        "true, 4.20.5, , false",
        "false, 4.20.5, 4.20.3, false"
    })
    void anotherReleaseIsReported(boolean installed, String asked, @Nullable String runs, boolean said) {
        assertThat(VersionConditions.distribution(installed, asked, runs).isPresent())
                .isEqualTo(said);
    }

    @Test
    void theMessage_hasBothVersionsAndTheRemedy() {
        assertThat(VersionConditions.distribution(true, "4.20.5", "4.20.3"))
                .contains(
                        "the cluster runs 4.20.3, spec.distributionVersion asks for 4.20.5, and this provider does not"
                                + " upgrade clusters: upgrade with oc adm upgrade, or set spec.distributionVersion to 4.20.3");
    }

    @ParameterizedTest
    @CsvSource({
        "v1.33.5, v1.33.5, false",
        "1.33.5, v1.33.5+b49f9d1, false",
        "v1.33.5, , false",
        ", v1.33.5, false",
        "v1.33.6, v1.33.5, true"
    })
    void anotherKubernetesVersionIsReported(@Nullable String asked, @Nullable String runs, boolean said) {
        assertThat(VersionConditions.kubernetes(asked, runs).isPresent()).isEqualTo(said);
    }
}
