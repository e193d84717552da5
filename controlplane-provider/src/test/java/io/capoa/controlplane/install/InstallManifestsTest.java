package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Validation of manifests. */
class InstallManifestsTest {

    @ParameterizedTest
    @ValueSource(strings = {"a.yaml", "a.yml", "a.json", "50-a.yaml.patch", "cluster-config.yaml.patch_ccm"})
    void aNameOfAManifestOrPatch_isAccepted(String key) {
        assertThat(InstallManifests.problem(List.of(map("one", key)))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.txt", "yaml", "a.yaml.txt"})
    void anotherName_isRejected(String key) {
        assertThat(InstallManifests.problem(List.of(map("one", key))))
                .isEqualTo("key " + key
                        + " of ConfigMap one is not the name of a manifest: let it end in .yaml, .yml, .json"
                        + " or .patch");
    }

    @Test
    void aNameInTwoConfigMaps_isRejected() {
        assertThat(InstallManifests.problem(
                        List.of(map("one", "a.yaml"), map("two", "b.yaml"), map("three", "a.yaml"))))
                .isEqualTo(
                        "key a.yaml is in ConfigMap one and in ConfigMap three: rename one of them, it becomes a file"
                                + " name");
    }

    @Test
    void duplicateAndEmptyReferences_areIgnored() {
        assertThat(InstallManifests.chosen(
                        Objects.identity("{}", "manifestsConfigMapRefs: [{name: b}, {name: a}, {name: b}, {}]")))
                .containsExactly("b", "a");
    }

    private static ConfigMap map(String name, String key) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withData(Map.of(key, ""))
                .build();
    }
}
