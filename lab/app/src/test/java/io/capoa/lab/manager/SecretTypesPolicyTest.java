package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The policy of docs/install.md, applied to a real API server. */
@ExtendWith(SharedCluster.class)
class SecretTypesPolicyTest {

    private static final String NAMESPACE = "secret-types";
    private static final String TOKEN = "kubernetes.io/service-account-token";
    private static final String BEGIN = "apiVersion: admissionregistration.k8s.io/v1\n";

    @Test
    void aManagerCannotWriteTheTokenOfAServiceAccount_butItsOwnSecrets(TestCluster cluster) throws Exception {
        KubernetesClient admin = cluster.admin();
        List<HasMetadata> policy = policy(cluster.userName(KnownUsers.BOOTSTRAP_PROVIDER));
        var unused = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        try (KubernetesClient manager = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(
                        cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER).toFile()))
                .build()) {
            var applied = admin.resourceList(policy).serverSideApply();

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(refusal(manager)).contains("write no tokens of ServiceAccounts"));
            assertThat(manager.resource(secret("data", "cluster.x-k8s.io/secret"))
                            .create()
                            .getType())
                    .isEqualTo("cluster.x-k8s.io/secret");
        } finally {
            var deleted = admin.resourceList(policy).delete();
            deleted = admin.namespaces().withName(NAMESPACE).delete();
        }
    }

    /** Empty if it is taken. */
    private static String refusal(KubernetesClient manager) {
        try {
            var unused = manager.resource(secret("token", TOKEN)).dryRun().create();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Secret secret(String name, String type) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .addToAnnotations("kubernetes.io/service-account.name", "default")
                .endMetadata()
                .withType(type)
                .build();
    }

    /** With the user that the lab gives the manager. */
    private static List<HasMetadata> policy(String user) throws IOException {
        String page = Files.readString(ProjectRoot.find().resolve("docs/install.md"));
        int begin = page.indexOf(BEGIN + "kind: ValidatingAdmissionPolicy\n");
        String yaml = page.substring(begin, page.indexOf("```", begin))
                .replace("system:serviceaccount:capoa-bootstrap-system:capoa-bootstrap-controller-manager", user);
        return List.of(yaml.split("---\n", 2)).stream()
                .map(part -> (HasMetadata) Serialization.unmarshal(part, GenericKubernetesResource.class))
                .toList();
    }
}
