package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The API server rejects Machines while the bootstrap provider's webhook is unavailable. */
@ExtendWith({LocalClusterOnly.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class CreationRefusedTest {

    /** The client repeats a request that fails with 500 twice. */
    private static final int REPEATED = 3;

    /** At least: half a second and a second. */
    private static final Duration TWO_PAUSES = Duration.ofMillis(1500);

    @Test
    void whileTheWebhookOfConfigsIsUnavailable_littleIsRetried_andAllIsCreatedWhenItIsBack(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            ValidatingWebhookConfiguration away = webhook(peers.namespace);
            var unused = peers.client.resource(away).create();
            AuditLog log = shared.cluster.auditLog().orElseThrow();
            AuditLog.Mark mark = log.mark();
            try {
                untilRefused(peers);
                peers.controlPlane();
                within(() -> scene.message("MachinesCreated").contains("failed calling webhook"));
                int afterTwoMore = (3 + 2) * REPEATED;
                within(() ->
                        creates(log, mark, peers, "openshiftassistedconfigs").size() >= afterTwoMore);
                assertThat(creates(log, mark, peers, "metal3machines"))
                        .as("one of each Machine")
                        .hasSize(3);
                List<Instant> refused = creates(log, mark, peers, "openshiftassistedconfigs");
                assertThat(Duration.between(refused.getFirst(), refused.get(afterTwoMore - 1)))
                        .as("three at first and one an attempt, each after a longer pause")
                        .isGreaterThanOrEqualTo(TWO_PAUSES);
                assertThat(peers.machines()).isEmpty();
            } finally {
                peers.client.resource(away).delete();
            }
            within(() -> peers.machines().size() == 3);
        }
    }

    /** The API server calls a new webhook with a short delay. */
    private static void untilRefused(ControlPlanePeers peers) {
        OpenshiftAssistedConfig config = new OpenshiftAssistedConfig();
        config.setMetadata(new ObjectMetaBuilder()
                .withNamespace(peers.namespace)
                .withName("probe")
                .build());
        config.setSpec(Serialization.unmarshal("{}", OpenshiftAssistedConfigSpec.class));
        within(() -> {
            try {
                return peers.client.resource(config).dryRun().create() == null;
            } catch (KubernetesClientException refused) {
                return refused.getMessage().contains("failed calling webhook");
            }
        });
    }

    /** When they were asked for. */
    private static List<Instant> creates(AuditLog log, AuditLog.Mark mark, ControlPlanePeers peers, String resource) {
        return log.since(mark, peers.namespace).stream()
                .filter(entry -> entry.user().equals(KnownUsers.CONTROL_PLANE_PROVIDER))
                .filter(entry -> entry.namespace().equals(peers.namespace))
                .filter(entry ->
                        entry.verb().equals("create") && entry.resource().equals(resource))
                .map(AuditEntry::received)
                .toList();
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
