package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class LocalClusterTest {

    private static LocalCluster cluster =
            LocalCluster.builder().users("nobody-in-particular").start();

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void whenStarted_servesTheAdministrator() {
        assertThat(cluster.admin().namespaces().withName("default").get()).isNotNull();
    }

    @Test
    void whenAUserHasNoRights_isForbidden() {
        try (KubernetesClient client = cluster.clientOf("nobody-in-particular")) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.secrets().inNamespace("default").list())
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(403))
                    .withMessageContaining("nobody-in-particular");
        }
    }
}
