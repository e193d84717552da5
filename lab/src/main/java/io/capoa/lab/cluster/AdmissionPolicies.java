package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/**
 * What assisted-service's admission webhooks refuse and default, as admission policies of the API server: as strict, with the
 * webhooks' messages, and without a server that may be away. They judge a second or so after they were applied.
 *
 * <p>What a webhook looks up in another object is left out: whether the cluster is installed when an InfraEnv gets an {@code
 * osImageVersion}.
 */
final class AdmissionPolicies {

    private final KubernetesClient client;

    AdmissionPolicies(KubernetesClient client) {
        this.client = client;
    }

    /** Applies them; may be repeated. Kinds of policy that an older API server does not serve are left out, and named. */
    void install() {
        List<GenericKubernetesResource> policies = Manifests.resource("admission/assisted-service.yaml");
        policies.forEach(policy -> {
            if (client.supports(policy.getApiVersion(), policy.getKind())) {
                var unused = client.resource(policy)
                        .fieldManager("lab")
                        .forceConflicts()
                        .serverSideApply();
            } else {
                System.err.println("The API server does not serve " + policy.getKind() + ": "
                        + policy.getMetadata().getName() + " of assisted-service does not judge here.");
            }
        });
    }
}
