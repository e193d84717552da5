package io.capoa.controlplane.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.mirror.MirrorRegistry.Reading;
import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Parsing of the mirror registry ConfigMap, and messages for invalid ones. */
class MirrorRegistryTest {

    private static final String NAMED = "ConfigMap mirrors, which spec.config.imageRegistryRef names, ";
    private static final String GOOD = "[[registry]]\nlocation='quay.io'\n[[registry.mirror]]\nlocation='m.lab'\n";

    @Test
    void aValidConfigMap_isParsed() {
        assertThat(read(Map.of("registries.conf", GOOD)))
                .isEqualTo(new Reading.Usable(new MirrorRegistry(RegistriesConf.parse(GOOD), "")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[registry]] | a [[registry]] needs \"location\" or \"prefix\"",
                "[[registry]]#location='q.io' | the [[registry]] \"q.io\" needs a [[registry.mirror]]",
                "[[registry]]#prefix='q.io' | the [[registry]] with prefix \"q.io\" needs \"location\"",
                "[[registry]]#location='q.io'#[[registry.mirror]] | a [[registry.mirror]] of \"q.io\" needs \"location\"",
                "[[registry]]#location='q.io'#[[registry.mirror]]#location=5 | \"location\" of a [[registry.mirror]] of \"q.io\" is not text: write it in quotes",
                "[[registry]]#location='q.io'#[[registry.mirror]]#location='m'#pull-from-mirror='tags' | pull-from-mirror of \"m\" is \"tags\": write all, digest-only or tag-only",
                "[[registry]]#location='q.io'#mirror-by-digest-only=true#[[registry.mirror]]#location='m'#pull-from-mirror='tag-only' | pull-from-mirror of \"m\" is \"tag-only\", but mirror-by-digest-only of \"q.io\" is true: remove one of them",
            })
    void aMissingField_isNamed(String conf, String message) {
        assertThat(unusable(Map.of("registries.conf", conf.replace('#', '\n'))))
                .isEqualTo(NAMED + "cannot be used: registries.conf: " + message);
    }

    static Stream<String> hostile() {
        return Stream.of(
                "a = " + "[".repeat(100_000),
                "a" + ".a".repeat(100_000) + " = 1",
                "a = 9999-99-99",
                "a = 2026-02-31T25:61:61Z",
                "a = 1" + "0".repeat(200_000),
                "a = 0x",
                "!!python/object/apply:os.system [ls]",
                "a: &a [*a, *a]",
                "\u0000",
                "[[registry]]\nlocation='" + "/".repeat(200_000) + "x'",
                "#".repeat(300_000));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void otherContent_givesAShortMessage(String conf) {
        assertThat(unusable(Map.of("registries.conf", conf)))
                .startsWith(NAMED + "cannot be used: registries.conf")
                .hasSizeLessThan(600);
    }

    @Test
    void withoutTheKey_orAnyRegistry_isInvalid() {
        assertThat(unusable(Map.of("other", ""))).isEqualTo(NAMED + "has no key registries.conf: add it");
        assertThat(unusable(Map.of("registries.conf", "short-name-mode='permissive'")))
                .contains("registries.conf has no [[registry]]");
    }

    @Test
    void invalidToml_isReportedWithItsPosition() {
        assertThat(unusable(Map.of("registries.conf", "[[registry]]\nlocation = quay.io\n")))
                .startsWith(NAMED + "cannot be used: registries.conf is not TOML: ")
                .endsWith("(line 2)");
    }

    @Test
    void invalidCertificates_areRejected() {
        assertThat(unusable(Map.of("registries.conf", GOOD, "ca-bundle.crt", "certificate")))
                .startsWith(NAMED + "cannot be used: ca-bundle.crt ");
    }

    @Test
    void eachControlPlane_hasItsOwnManifests() {
        ControlPlaneIdentity identity = Objects.identity();
        ConfigMap map = MirrorConfigMap.desired(identity, new MirrorRegistry(RegistriesConf.parse(GOOD), ""));
        assertThat(map.getMetadata().getName()).isEqualTo("cp-additional-registry-config");
        assertThat(map.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(map.getMetadata().getOwnerReferences()).containsExactly(identity.owner());
        assertThat(map.getData()).containsOnlyKeys("image-digest-mirror-set.json");

        identity.controlPlane().getMetadata().setName("c".repeat(240));
        assertThat(MirrorConfigMap.name(identity)).hasSize(253).endsWith("-additional-registry-config");
    }

    private static String unusable(Map<String, String> data) {
        return read(data) instanceof Reading.Unusable unusable ? unusable.message() : "usable";
    }

    private static Reading read(Map<String, String> data) {
        return MirrorRegistry.read(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("mirrors")
                .endMetadata()
                .withData(data)
                .build());
    }
}
