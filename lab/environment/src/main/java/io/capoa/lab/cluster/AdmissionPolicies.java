package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * Rejections and defaults of assisted-service's admission webhooks as admission policies: equally strict, with the same
 * messages, and without a webhook server.
 *
 * <p>Checks that need another object are left out: whether the cluster is installed when an InfraEnv gets an {@code
 * osImageVersion}.
 */
final class AdmissionPolicies {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String VALIDATING = "ValidatingAdmissionPolicy";
    private static final String MUTATING = "MutatingAdmissionPolicy";

    /** Never stored: a mutating policy sets one of its fields. */
    private static final String DEFAULTED = """
            apiVersion: extensions.hive.openshift.io/v1beta1
            kind: AgentClusterInstall
            metadata: {name: probe-of-admission-policies}
            spec:
              clusterDeploymentRef: {name: probe}
              networking: {}
              provisionRequirements: {controlPlaneAgents: 1}
            """;

    /** Never stored: objects that the validating policies refuse, one each, by the message of the refusal. */
    private static final Map<String, String> REFUSED = Map.of(
            "UserManagedNetworking must be set to true with SNO",
            """
            apiVersion: extensions.hive.openshift.io/v1beta1
            kind: AgentClusterInstall
            metadata: {name: probe-of-admission-policies}
            spec:
              clusterDeploymentRef: {name: probe}
              networking: {userManagedNetworking: false}
              provisionRequirements: {controlPlaneAgents: 1}
            """,
            "Either Spec.ClusterRef or Spec.OSImageVersion should be specified (not both).",
            """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: InfraEnv
            metadata: {name: probe-of-admission-policies}
            spec:
              pullSecretRef: {name: probe}
              clusterRef: {name: probe, namespace: default}
              osImageVersion: '4.20'
            """,
            "Either InstallationDiskID or InstallationDiskPath can be set, not both.",
            """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: Agent
            metadata: {name: probe-of-admission-policies}
            spec:
              approved: false
              role: ''
              installation_disk_id: probe
              installation_disk_path: /dev/probe
            """);

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

    /**
     * Applies the policies; idempotent. Returns when they have taken effect. Skips, with a message, kinds of policies that
     * an older API server lacks.
     */
    void install() {
        List<GenericKubernetesResource> policies = ManifestFiles.resource("admission/assisted-service.yaml");
        List<GenericKubernetesResource> known = policies.stream()
                .filter(policy -> client.supports(policy.getApiVersion(), policy.getKind()))
                .toList();
        known.forEach(policy -> {
            var unused =
                    client.resource(policy).fieldManager("lab").forceConflicts().serverSideApply();
        });
        policies.stream()
                .filter(policy -> !known.contains(policy))
                .forEach(policy -> System.err.println("The API server does not serve " + policy.getKind() + ": "
                        + policy.getMetadata().getName() + " of assisted-service has no effect here."));
        if (known.stream().anyMatch(policy -> policy.getKind().equals(VALIDATING))) {
            REFUSED.forEach((message, manifest) -> awaitEffect(() -> isRefused(manifest, message)));
        }
        if (known.stream().anyMatch(policy -> policy.getKind().equals(MUTATING))) {
            awaitEffect(this::isDefaulted);
        }
    }

    /**
     * Until the API server has read a policy, a second later and not all of them at once, it accepts everything; until it
     * has read the schema of the kinds that are mutated, it refuses all their writes with 503.
     */
    private void awaitEffect(BooleanSupplier effect) {
        AtomicReference<String> last = new AtomicReference<>("no field is set and no object is refused");
        boolean effective = PollPause.until(PATIENCE, () -> {
            try {
                return effect.getAsBoolean();
            } catch (KubernetesClientException e) {
                last.set(String.valueOf(e.getMessage()));
                return false;
            }
        });
        if (!effective) {
            throw new ClusterException("The admission policies of assisted-service have no effect after %d s: %s"
                    .formatted(PATIENCE.toSeconds(), last));
        }
    }

    private boolean isDefaulted() {
        return dryRun(DEFAULTED).get("spec", "networking", "userManagedNetworking") != null;
    }

    private boolean isRefused(String manifest, String message) {
        try {
            var unused = dryRun(manifest);
            return false;
        } catch (KubernetesClientException e) {
            if (String.valueOf(e.getMessage()).contains(message)) {
                return true;
            }
            throw e;
        }
    }

    private GenericKubernetesResource dryRun(String manifest) {
        return client.resource(Serialization.unmarshal(manifest, GenericKubernetesResource.class))
                .inNamespace("default")
                .dryRun()
                .create();
    }
}
