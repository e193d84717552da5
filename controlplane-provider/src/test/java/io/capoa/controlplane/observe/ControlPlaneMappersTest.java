package io.capoa.controlplane.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the caches keep of labelled Secrets. */
class ControlPlaneMappersTest {

    private static final String MEGABYTE = "A".repeat(1 << 20);

    @Test
    void ofAKubeconfig_oneKeyIsKept_andNoneOfAnotherSecret() {
        assertThat(ControlPlaneMappers.onlyKubeconfig(secret("c-kubeconfig", Map.of("value", "a2M=", "more", MEGABYTE)))
                        .getData())
                .isEqualTo(Map.of("value", "a2M="));
        assertThat(ControlPlaneMappers.onlyKubeconfig(secret("c-ca", Map.of("value", "a2M=")))
                        .getData())
                .isEmpty();
        assertThat(ControlPlaneMappers.onlySource(secret("any", Map.of("kubeconfig", "a2M=", "more", MEGABYTE)))
                        .getData())
                .isEqualTo(Map.of("kubeconfig", "a2M="));
    }

    @Test
    void aMegabyte_isKnownByItsMetadataOnly() {
        assertThat(ControlPlaneMappers.onlyKubeconfig(secret("c-kubeconfig", Map.of("value", MEGABYTE)))
                        .getData())
                .isEqualTo(Map.of("value", ""));
        assertThat(ControlPlaneMappers.onlySource(secret("any", Map.of("kubeconfig", MEGABYTE)))
                        .getData())
                .isEqualTo(Map.of("kubeconfig", ""));
    }

    private static Secret secret(String name, Map<String, String> data) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("ns")
                .addToLabels(Labels.CLUSTER_NAME, "c")
                .endMetadata()
                .withData(data)
                .build();
    }
}
