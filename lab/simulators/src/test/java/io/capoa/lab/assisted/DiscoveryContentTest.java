package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.NMStateConfig;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryContentTest {

    private static final Map<String, Object> SELECTOR =
            Map.of("nmStateConfigLabelSelector", Map.of("matchLabels", Map.of("host", "h1", "rack", "r1")));

    @Test
    void networkSettingsOfAllNamespaces_areSelected_byTheirLabelsAlone() {
        NMStateConfig own = network("ns", Map.of("host", "h1", "rack", "r1"));
        NMStateConfig foreign = network("other", Map.of("host", "h1", "rack", "r1"));
        NMStateConfig half = network("ns", Map.of("host", "h1"));

        assertThat(content(infraEnv(SELECTOR), null, own, half, foreign).network())
                .hasSize(2);
        assertThat(content(infraEnv(Map.of()), null, own, foreign).network()).isEmpty();
    }

    @Test
    void aChangeIsFollowed_inTheSameNamespaceAlone_byOneCommonLabel() {
        InfraEnv infraEnv = infraEnv(SELECTOR);

        assertThat(DiscoveryContent.isFollowed(network("ns", Map.of("host", "h1")), infraEnv))
                .isTrue();
        assertThat(DiscoveryContent.isFollowed(network("ns", Map.of("host", "h2")), infraEnv))
                .isFalse();
        assertThat(DiscoveryContent.isFollowed(network("other", Map.of("host", "h1", "rack", "r1")), infraEnv))
                .isFalse();
        InfraEnv byExpression = infraEnv(Map.of(
                "nmStateConfigLabelSelector",
                Map.of("matchExpressions", List.of(Map.of("key", "host", "operator", "Exists")))));
        assertThat(DiscoveryContent.isFollowed(network("ns", Map.of("host", "h1")), byExpression))
                .isFalse();
        assertThat(content(byExpression, null, network("other", Map.of("host", "h1")))
                        .network())
                .hasSize(1);
    }

    @Test
    void theStaticNetwork_isInTheIgnitionOfAFullIso() {
        NMStateConfig own = network("ns", Map.of("host", "h1", "rack", "r1"));

        assertThat(content(infraEnv(Map.of("imageType", "full-iso", "nmStateConfigLabelSelector", Map.of())), null, own)
                        .networkFiles(0600))
                .isEmpty();
        assertThat(content(infraEnv(SELECTOR), null, own).networkFiles(0600)).isEmpty();
        Map<String, Object> full = new java.util.HashMap<>(SELECTOR);
        full.put("imageType", "full-iso");
        assertThat(content(infraEnv(full), null, own).networkFiles(0600))
                .extracting(file -> file.get("path"))
                .containsExactly(
                        "/etc/assisted/network/host0/mac_interface.ini", "/etc/assisted/network/host0/ymlFile.yaml");
    }

    @Test
    void anOverrideThatIsTakenAway_stays() {
        DiscoveryContent with = content(infraEnv(Map.of("ignitionConfigOverride", "{}")), null);

        assertThat(content(infraEnv(Map.of()), with).text("ignitionConfigOverride"))
                .isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete", "replace"})
    void kernelArguments_areAppendedOnly(String operation) throws IOException {
        content(arguments("append"), null).check();

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> content(arguments(operation), null).check())
                .withMessage("Only kernel argument operation append is supported.  Got " + operation);
    }

    private static InfraEnv arguments(String operation) {
        return infraEnv(Map.of("kernelArguments", List.of(Map.of("operation", operation, "value", "quiet"))));
    }

    private static DiscoveryContent content(
            InfraEnv infraEnv, @org.jspecify.annotations.Nullable DiscoveryContent before, NMStateConfig... all) {
        return DiscoveryContent.of(infraEnv, Stream.of(all), before);
    }

    private static InfraEnv infraEnv(Map<String, Object> spec) {
        InfraEnv infraEnv = new InfraEnv();
        infraEnv.setMetadata(
                new ObjectMetaBuilder().withNamespace("ns").withName("m1").build());
        infraEnv.setAdditionalProperty("spec", spec);
        return infraEnv;
    }

    private static NMStateConfig network(String namespace, Map<String, String> labels) {
        NMStateConfig config = new NMStateConfig();
        config.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("n")
                .withLabels(labels)
                .build());
        config.setAdditionalProperty("spec", Map.of("interfaces", List.of(Map.of("macAddress", "m", "name", "eth0"))));
        return config;
    }
}
