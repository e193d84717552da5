package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CAPM3's messages as users read them. */
class ReportedCauseTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "requeuing, could not find node with label: metal3.io/uuid=1-2. Object will be requeued after 30s"
                        + " | no Node has label metal3.io/uuid=1-2 yet",
                "* NodeReady: requeuing, could not find node with label: metal3.io/uuid=1-2; more"
                        + " | * NodeReady: no Node has label metal3.io/uuid=1-2 yet; more",
                "no available host found. Requeuing. Object will be requeued after 30s | no available host found",
                "no available host found. Object will not be requeued | no available host found",
                "the host is cleaned | the host is cleaned"
            })
    void whatItSaysOfItsRequeues_isLeftOut(String message, String cause) {
        assertThat(ReportedCause.of(message)).isEqualTo(cause);
    }
}
