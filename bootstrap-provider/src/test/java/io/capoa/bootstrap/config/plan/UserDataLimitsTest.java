package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.infrastructure.ContractInfrastructure;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.lookup.LookupResult;
import java.util.Optional;
import okio.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserDataLimitsTest {

    private static final String EMPTY = "{\"ignition\":{\"version\":\"3.1.0\"},\"x\":\"\"}";
    private static final Infrastructure CLOUD = new ContractInfrastructure(false);

    private static Optional<RecordedEvent> warning(int bytes, ConfigObservations seen) {
        String ignition = EMPTY.replace("\"\"", "\"" + "a".repeat(bytes - EMPTY.length()) + "\"");
        ConfigObservation observation = seen.download(new LookupResult.Known<>(ByteString.encodeUtf8(ignition)))
                .get();
        return UserDataLimits.warning(observation, ConfigPlan.of(observation).data());
    }

    @ParameterizedTest
    @CsvSource({
        "16385, AWS (16384 bytes):",
        "49150, 'AWS (16384 bytes), OpenStack (49149 bytes):'",
        "65536, 'OpenStack (49149 bytes), Azure (65535 bytes):'",
        "262145, GCP (262144 bytes):"
    })
    void theCloudsThatTakeLess_areNamed(int bytes, String clouds) {
        assertThat(warning(bytes, complete().on(CLOUD))).hasValueSatisfying(event -> {
            assertThat(event.reason()).isEqualTo("UserDataTooLarge");
            assertThat(event.note())
                    .contains("Secret c1 has " + bytes + " bytes", clouds, "discoveryIgnition Reference");
        });
    }

    @Test
    void dataThatFits_isNoWarning() {
        assertThat(warning(16384, complete().on(CLOUD))).isEmpty();
    }

    @Test
    void aConfigDriveOfMetal3_hasNoLimit() {
        assertThat(warning(300_000, complete())).isEmpty();
    }

    @Test
    void aReference_isNoWarning() {
        assertThat(warning(300_000, complete().on(CLOUD).spec("{discoveryIgnition: Reference}")))
                .isEmpty();
    }
}
