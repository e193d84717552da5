package io.capoa.controlplane.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The API server rejects Machines while the bootstrap provider's webhook is unavailable. */
@ExtendWith({LocalClusterOnly.class, SharedCluster.class})
class CreationRefusedTest {

    private static final Duration WATCHED = Duration.ofSeconds(6);

    @Test
    void whileTheWebhookOfConfigsIsUnavailable_littleIsRetried_andAllIsCreatedWhenItIsBack(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(cluster)) {
            ControlPlanePeers peers = scene.peers;
            ValidatingWebhookConfiguration away = webhook(peers.namespace);
            var unused = peers.client.resource(away).create();
            AuditLog log = cluster.auditLog().orElseThrow();
            AuditLog.Mark mark = log.mark();
            try {
                peers.controlPlane();
                ControlPlaneScene.within(() -> scene.message("MachinesCreated").contains("failed calling webhook"));
                await().pollDelay(WATCHED).until(() -> true);
                assertThat(creates(log, mark, peers, "metal3machines"))
                        .as("one of each Machine")
                        .isEqualTo(3);
                assertThat(creates(log, mark, peers, "openshiftassistedconfigs"))
                        .as("three at first and one an attempt, which the client repeats twice each")
                        .isLessThanOrEqualTo(9 + 5 * 3);
                assertThat(peers.machines()).isEmpty();
            } finally {
                peers.client.resource(away).delete();
            }
            await().atMost(ControlPlaneScene.SOON).until(() -> peers.machines().size() == 3);
        }
    }

    private static long creates(AuditLog log, AuditLog.Mark mark, ControlPlanePeers peers, String resource) {
        return log.since(mark).stream()
                .filter(entry -> entry.user().equals(KnownUsers.CONTROL_PLANE_PROVIDER))
                .filter(entry -> entry.namespace().equals(peers.namespace))
                .filter(entry ->
                        entry.verb().equals("create") && entry.resource().equals(resource))
                .map(AuditEntry::uri)
                .count();
    }

    private static ValidatingWebhookConfiguration webhook(String namespace) {
        return new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("away-" + namespace)
                .endMetadata()
                .addNewWebhook()
                .withName("away.capoa.io")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("None")
                .withFailurePolicy("Fail")
                .withTimeoutSeconds(1)
                .withNewClientConfig()
                .withUrl("https://127.0.0.1:9/validate")
                .endClientConfig()
                .withNewNamespaceSelector()
                .withMatchLabels(Map.of("kubernetes.io/metadata.name", namespace))
                .endNamespaceSelector()
                .addNewRule()
                .withApiGroups("bootstrap.cluster.x-k8s.io")
                .withApiVersions("*")
                .withOperations("CREATE")
                .withResources("openshiftassistedconfigs")
                .endRule()
                .endWebhook()
                .build();
    }
}
