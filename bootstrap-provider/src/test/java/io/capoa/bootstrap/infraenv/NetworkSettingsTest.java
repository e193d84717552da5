package io.capoa.bootstrap.infraenv;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.NMStateConfig;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.stream.Stream;
import okio.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkSettingsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {matchLabels: {net: a}}                                                       | true
            {matchLabels: {net: b}}                                                       | false
            {matchLabels: {net: a, more: x}}                                              | false
            {matchExpressions: [{key: net, operator: In, values: [a, b]}]}                | true
            {matchExpressions: [{key: net, operator: NotIn, values: [a]}]}                | false
            {matchExpressions: [{key: net, operator: Exists}]}                            | true
            {matchExpressions: [{key: net, operator: DoesNotExist}]}                      | false
            {matchExpressions: [{key: other, operator: NotIn, values: [a]}]}              | true
            {}                                                                            | false
            """)
    void thoseThatTheSelectorSelectsCount(String selector, boolean selected) {
        OpenshiftAssistedConfig config = config("{nmStateConfigLabelSelector: " + selector + "}");

        assertThat(!NetworkSettings.fingerprints(config, Stream.of(settings("n1", "1")))
                        .isEmpty())
                .isEqualTo(selected);
    }

    @Test
    void theFingerprint_changesWithTheContent_andNotWithTheOrder() {
        OpenshiftAssistedConfig config = config("{nmStateConfigLabelSelector: {matchLabels: {net: a}}}");

        String both = NetworkSettings.fingerprints(config, Stream.of(settings("n1", "1"), settings("n2", "2")));

        assertThat(NetworkSettings.fingerprints(config, Stream.of(settings("n2", "2"), settings("n1", "1"))))
                .isEqualTo(both);
        assertThat(NetworkSettings.fingerprints(config, Stream.of(settings("n1", "1"), settings("n2", "3"))))
                .isNotEqualTo(both);
        assertThat(NetworkSettings.fingerprints(config, Stream.of(settings("n1", "1"))))
                .isNotEqualTo(both);
        assertThat(NetworkSettings.areSelected(config("{}"))).isFalse();
    }

    @Test
    void thoseOfOtherNamespaces_count_becauseAssistedServiceSelectsThem_andAreCounted() {
        OpenshiftAssistedConfig config = config("{nmStateConfigLabelSelector: {matchLabels: {net: a}}}");
        NMStateConfig own = in("ns", settings("n1", "1"));
        NMStateConfig foreign = in("other", settings("n1", "2"));
        config.getMetadata().setNamespace("ns");

        assertThat(NetworkSettings.fingerprints(config, Stream.of(own, foreign)))
                .startsWith("n1=")
                .contains("\nother/n1=");
        assertThat(NetworkSettings.foreign(config, Stream.of(own, foreign))).isEqualTo(1);
        assertThat(NetworkSettings.foreign(config("{}"), Stream.of(own, foreign)))
                .isZero();
    }

    @Test
    void aConfigAndWhatItSelects_shareAKey() {
        NMStateConfig settings = settings("n1", "1");

        assertThat(NetworkSettings.keys(settings)).containsExactly("", "net=a");
        assertThat(NetworkSettings.selectedKey(
                        config("{nmStateConfigLabelSelector: {matchLabels: {net: a, other: b}}}")))
                .contains("net=a");
        assertThat(NetworkSettings.selectedKey(
                        config("{nmStateConfigLabelSelector: {matchExpressions: [{key: net, operator: Exists}]}}")))
                .contains("");
        assertThat(NetworkSettings.selectedKey(config("{}"))).isEmpty();
    }

    private static NMStateConfig in(String namespace, NMStateConfig settings) {
        settings.getMetadata().setNamespace(namespace);
        return settings;
    }

    /** It is part of the digest in annotations: another one after an update would mean that all ignition is outdated. */
    @Test
    void theFingerprint_isOfTheContentAsJson() {
        NMStateConfig settings = Serialization.unmarshal("""
                ---
                metadata: {name: n}
                spec: {config: {x: [1, 1.50, 100000000000000000000, true, null, "\\u00e9 /"]}}
                """, NMStateConfig.class);

        String json = Serialization.asJson(settings.getAdditionalProperties().get("spec"));

        assertThat(NetworkSettings.fingerprint(settings).getAdditionalProperties())
                .containsExactly(
                        Map.entry("digest", ByteString.encodeUtf8(json).sha256().hex()));
    }

    private static OpenshiftAssistedConfig config(String spec) {
        return Serialization.unmarshal("---\nmetadata: {name: c}\nspec: " + spec, OpenshiftAssistedConfig.class);
    }

    private static NMStateConfig settings(String name, String content) {
        return NetworkSettings.fingerprint(Serialization.unmarshal(
                "---\nmetadata: {name: %s, labels: {net: a}}\nspec: {config: {x: %s}}".formatted(name, content),
                NMStateConfig.class));
    }
}
