package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An existing cluster: the one of the other suites. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class ExistingClusterTest {

    @Test
    void whenAUserIsAskedFor_itIsAServiceAccountWithOnlyTheRightsThatRbacGrants(TestCluster shared) {
        String namespace;
        try (ExistingCluster existing = ExistingCluster.of(shared.adminKubeconfig());
                KubernetesClient client = existing.clientOf("user")) {
            namespace = existing.subject("user").getNamespace();
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.configMaps().inNamespace("default").list())
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(403))
                    .withMessageContaining(existing.userName("user"));

            new ManifestRoles(existing).bind("view", "user");

            // The API server learns of the binding by a watch.
            await().ignoreExceptionsInstanceOf(KubernetesClientException.class)
                    .untilAsserted(() -> assertThat(client.configMaps()
                                    .inNamespace("default")
                                    .list()
                                    .getItems())
                            .isNotNull());
        }
        var leftOver = shared.admin().namespaces().withName(namespace).get();
        assertThat(leftOver == null || leftOver.getMetadata().getDeletionTimestamp() != null)
                .isTrue();
    }

    @Test
    void whenTheKubeconfigIsMissing_saysWhichFile() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> ExistingCluster.of(Path.of("absent.kubeconfig")))
                .withMessageContaining("absent.kubeconfig")
                .withMessageContaining("KUBECONFIG");
    }
}
