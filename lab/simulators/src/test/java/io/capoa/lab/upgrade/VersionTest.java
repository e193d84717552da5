package io.capoa.lab.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VersionTest {

    @Test
    void theOrder_isThatOfSemanticVersioning() {
        List<String> ordered = List.of(
                "4.9.12",
                "4.20.0-ec.2",
                "4.20.0-ec.10",
                "4.20.0-rc.1",
                "4.20.0-rc.1.1",
                "4.20.0",
                "4.20.3",
                "4.20.10",
                "4.21.0",
                "5.0.0");

        assertThat(Stream.of(
                                "4.20.10",
                                "5.0.0",
                                "4.20.0",
                                "4.20.0-rc.1.1",
                                "4.20.0-ec.10",
                                "4.21.0",
                                "4.20.3",
                                "4.9.12")
                        .sorted(Comparator.comparing(text -> Version.of(text).orElseThrow())))
                .containsExactlyElementsOf(ordered.stream()
                        .filter(text -> !text.equals("4.20.0-ec.2") && !text.equals("4.20.0-rc.1"))
                        .toList());
        assertThat(ordered)
                .isSortedAccordingTo(
                        Comparator.comparing(text -> Version.of(text).orElseThrow()));
    }

    @Test
    void aKubeletsVersion_isRead_withItsSuffix() {
        assertThat(Version.of("v1.29.6+aba1e8d")).contains(new Version(1, 29, 6, ""));
        assertThat(Version.of("latest")).isEmpty();
        assertThat(Version.of("4.20")).isEmpty();
    }
}
