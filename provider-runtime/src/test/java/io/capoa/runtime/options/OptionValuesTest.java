package io.capoa.runtime.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.runtime.migration.MigrationPhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionValuesTest {

    @ParameterizedTest
    @CsvSource({
        "':8081', '', 8081",
        "'127.0.0.1:0', 127.0.0.1, 0",
        "'[::1]:80', ::1, 80",
        "localhost:65535, localhost, 65535"
    })
    void aBindAddress_isHostAndPort(String text, String host, int port) {
        var address = BindAddress.parse(text);

        assertThat(address).isEqualTo(new BindAddress(host, port));
        assertThat(address).hasToString(text);
    }

    @Test
    void aBindAddressOfZero_isOff() {
        assertThat(BindAddress.parse("0").isOff()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8081", ":", "host:", ":-1", ":+1", ":65536", "::1:80", "a b:1"})
    void anythingElse_isRejected(String text) {
        assertThatThrownBy(() -> BindAddress.parse(text)).hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"90s, PT1M30S", "1m30s, PT1M30S", "250ms, PT0.25S", "10h, PT10H"})
    void aDuration_isWrittenAsInGo(String text, Duration duration) {
        assertThat(new GoDuration().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0s", "10", "-1s", "s", "1.5h"})
    void aDurationThatIsNotPositive_isRejected(String text) {
        assertThatThrownBy(() -> new GoDuration().convert(text)).hasMessageContaining("90s");
    }

    @Test
    void migrationPhases_haveTheNamesOfClusterApi() {
        var phases = new MigrationPhases();

        assertThat(phases.convert("")).isEmpty();
        assertThat(phases.convert("All")).containsExactlyInAnyOrder(MigrationPhase.values());
        assertThat(phases.convert("CleanupManagedFields, StorageVersionMigration"))
                .containsExactlyInAnyOrder(MigrationPhase.values());
        assertThatThrownBy(() -> phases.convert("Storage"))
                .hasMessageContaining("\"Storage\"")
                .hasMessageContaining("StorageVersionMigration");
    }

    @Test
    void namespaces_areSeparatedByCommas() {
        var scope = WatchScope.of(" b, a,,b ", "");

        assertThat(scope.namespaces()).containsExactly("a", "b");
        assertThat(scope.includes("a")).isTrue();
        assertThat(scope.includes("c")).isFalse();
        assertThat(scope.labelSelector()).isEmpty();
    }
}
