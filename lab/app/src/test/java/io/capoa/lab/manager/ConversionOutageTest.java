package io.capoa.lab.manager;

import static io.capoa.lab.manager.ConvertedCluster.OACP;
import static io.capoa.lab.manager.ConvertedCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The API server cannot reach the conversion webhook for a while, and objects are stored in older versions. */
@Tag("full")
@Isolated("two managers at once are enough for a small machine")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConversionOutageTest {

    private static final Duration OUTAGE = Duration.ofSeconds(30);

    private final ConvertedCluster converted = new ConvertedCluster();

    @BeforeAll
    void takeOver(@TempDir Path folder) throws Exception {
        converted.takeOver(folder, 1);
    }

    @AfterAll
    void stop() {
        converted.close();
    }

    @Test
    void theManagersSayWhatIsDown_andGoOnWhenItIsBack() throws Exception {
        Object before = converted.read(OACP, "v1alpha3").get("spec");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(converted.logs())
                        .contains(
                                "The API server could not convert objects for list of openshiftassistedconfigs.bootstrap")
                        .contains("The API server could not convert objects for list of openshiftassistedcontrolplanes")
                        .contains("Remedy: see that a manager runs behind the webhook's Service"));
        await().during(OUTAGE).atMost(OUTAGE.plus(PATIENCE)).untilAsserted(() -> {
            assertThat(converted.isReady()).isFalse();
            assertThat(converted.read(OACP, "v1alpha3").<Object>get("spec")).isEqualTo(before);
        });
        assertThat(converted.isRunning()).isTrue();

        converted.applyDefinitions(0);
        await().atMost(PATIENCE).until(converted::isReady);
        assertThat(converted.read(OACP, "v1alpha3").<Object>get("spec")).isEqualTo(before);
        converted.awaitStored("v1beta1");
    }
}
