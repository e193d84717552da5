package io.capoa.lab.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletSkewTest {

    @ParameterizedTest
    @CsvSource({
        // To an odd release kubelets may lag by one minor, to an even one by two.
        "4.20.3, v1.33.5, v1.33.5, false",
        "4.20.3, v1.33.5, v1.32.5, true",
        "4.21.0, v1.34.5, v1.33.5, false",
        "4.21.0, v1.34.5, v1.32.5+abc, true",
        "4.22.0, v1.35.5, v1.33.5, true",
        "4.22.0, v1.35.5, v1.35.5, false"
    })
    void pausedWorkers_blockTheMinorThatTheyCannotFollow(
            String running, String server, String kubelet, boolean blocks) {
        assertThat(KubeletSkew.blocker(running, server, List.of(server, kubelet))
                        .isPresent())
                .isEqualTo(blocks);
    }
}
