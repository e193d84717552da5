package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/**
 * Rejections and defaults of assisted-service's admission webhooks as admission policies: equally strict, with the same
 * messages, and without a webhook server. They take effect about a second after they have been applied.
 *
 * <p>Checks that need another object are left out: whether the cluster is installed when an InfraEnv gets an {@code
 * osImageVersion}.
 */
final class AdmissionPolicies {

    private final KubernetesClient client;

    AdmissionPolicies(KubernetesClient client) {
        this.client = client;
    }

    /** Removes the policies. */
    void remove() {
        ManifestFiles.resource("admission/assisted-service.yaml").stream()
                .filter(policy -> client.supports(policy.getApiVersion(), policy.getKind()))
                .forEach(policy -> client.resource(policy).delete());
    }

    /** Applies the policies; idempotent. Skips, with a message, kinds of policies that an older API server lacks. */
    void install() {
        List<GenericKubernetesResource> policies = ManifestFiles.resource("admission/assisted-service.yaml");
        policies.forEach(policy -> {
            if (client.supports(policy.getApiVersion(), policy.getKind())) {
                var unused = client.resource(policy)
                        .fieldManager("lab")
                        .forceConflicts()
                        .serverSideApply();
            } else {
                System.err.println("The API server does not serve " + policy.getKind() + ": "
                        + policy.getMetadata().getName() + " of assisted-service has no effect here.");
            }
        });
    }
}
