package io.capoa.lab.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpdateGraphTest {

    private static final String ID = "8f9a3c52-3c4d-4e0b-9a53-0b8a5a9f7c11";

    @Test
    void theChannelDecides_whichMinorReleasesAreOffered() {
        assertThat(updates("stable-4.20", "4.20.7").available())
                .extracting(Payload::version)
                .containsExactly("4.20.9", "4.20.8");
        assertThat(updates("fast-4.21", "4.20.8").available())
                .extracting(Payload::version)
                .startsWith("4.21.9", "4.21.8")
                .endsWith("4.21.0", "4.20.9");
        assertThat(updates("stable-4.20", "4.20.9").retrieved().isTrue()).isTrue();
    }

    @Test
    void afterTheLastMinorReleaseOfAMajorOne_theNextMajorOneIsOffered() {
        assertThat(updates("stable-5.0", "4.23.8").available())
                .extracting(Payload::version)
                .startsWith("5.0.9")
                .endsWith("5.0.0", "4.23.9");
        assertThat(updates("stable-5.0", "4.22.8").retrieved().reason()).isEqualTo("VersionNotFound");
        assertThat(UpdateGraph.channels("4.23.8")).contains("stable-4.23", "stable-5.0");
    }

    @Test
    void okd_isOfferedLaterBuilds() {
        assertThat(updates("stable-scos-4", "4.20.0-okd-scos.2").available())
                .extracting(Payload::version)
                .containsExactly("4.20.0-okd-scos.5", "4.20.0-okd-scos.4", "4.20.0-okd-scos.3");
        assertThat(UpdateGraph.installChannel("4.20.0-okd-scos.2")).isEqualTo("stable-scos-4");
        assertThat(UpdateGraph.installChannel("4.20.3")).isEqualTo("stable-4.20");
        assertThat(UpdateGraph.channels("4.20.3")).contains("eus-4.20", "stable-4.21");
    }

    @Test
    void anUpdateWithARisk_isConditional_andOneWithoutImageIsNotOffered() {
        var graph = new UpdateGraph(
                true,
                Map.of("4.20.8", "SlowBoot"),
                version -> version.equals("4.20.9") ? Optional.empty() : Optional.of("image-" + version));

        AvailableUpdates updates = graph.updates(spec("stable-4.20", "", ID), "4.20.6");

        assertThat(updates.available()).containsExactly(new Payload("4.20.7", "image-4.20.7"));
        assertThat(updates.conditional())
                .containsExactly(new AvailableUpdates.Conditional(new Payload("4.20.8", "image-4.20.8"), "SlowBoot"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 4.20.3, NoChannel",
        "stable-4.20, ftp://mirror, 4.20.3, InvalidURI",
        "stable-4.20, '', latest, InvalidCurrentVersion",
        "stable-4.18, '', 4.20.3, VersionNotFound",
        "stable-4.22, '', 4.20.3, VersionNotFound",
        "stable-4.20, '', 4.20.0-okd-scos.1, VersionNotFound"
    })
    void whatCannotBeRetrieved_isNamed_andNothingIsOffered(
            String channel, String upstream, String running, String reason) {
        AvailableUpdates updates = graph(true).updates(spec(channel, upstream, ID), running);

        assertThat(updates.retrieved().isFalse()).isTrue();
        assertThat(updates.retrieved().reason()).isEqualTo(reason);
        assertThat(updates.available()).isEmpty();
    }

    @Test
    void anUnreachableServer_andAnInvalidId_areNamed() {
        Condition unreachable = graph(false)
                .updates(spec("stable-4.20", "https://osus.example/graph", ID), "4.20.3")
                .retrieved();
        assertThat(unreachable.reason()).isEqualTo("RemoteFailed");
        assertThat(unreachable.message()).contains("https://osus.example/graph", "stable-4.20");
        assertThat(graph(true)
                        .updates(spec("stable-4.20", "", "one"), "4.20.3")
                        .retrieved()
                        .reason())
                .isEqualTo("InvalidID");
    }

    private static AvailableUpdates updates(String channel, String running) {
        return graph(true).updates(spec(channel, "", ID), running);
    }

    private static UpdateGraph graph(boolean reachable) {
        return new UpdateGraph(reachable, Map.of(), version -> Optional.of("image-" + version));
    }

    private static ClusterVersionSpec spec(String channel, String upstream, String id) {
        return new ClusterVersionSpec(1, id, channel, upstream, Optional.empty(), false);
    }
}
