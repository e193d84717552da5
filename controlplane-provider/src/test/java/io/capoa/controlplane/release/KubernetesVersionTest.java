package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesVersionTest {

    @ParameterizedTest
    @CsvSource({
        "v1.33.5,        1.33.5",
        "1.33.5,         1.33.5",
        "v1.33.5+8f2a1c, 1.33.5",
        "1.34.0-rc.1+a,  1.34.0-rc.1",
        "'',             ''",
    })
    void versionsFromDifferentSources_areComparedWithoutLetterAndBuild(String text, String plain) {
        assertThat(KubernetesVersion.plain(text)).isEqualTo(plain);
    }
}
