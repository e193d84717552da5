package io.capoa.runtime.leadership;

import io.capoa.runtime.client.ByName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.Optional;

/** The requests for one Lease. They throw {@link KubernetesClientException}. */
final class LeaseRequests {

    private static final ResourceDefinitionContext LEASES = new ResourceDefinitionContext.Builder()
            .withGroup("coordination.k8s.io")
            .withVersion("v1")
            .withKind(LeaseElection.KIND)
            .withPlural("leases")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final String namespace;
    private final String name;

    /**
     * Requests without retries, which would send a renewal after its time, and that end before the deadline that they are
     * for.
     */
    LeaseRequests(KubernetesClient connected, String namespace, String name, Duration timeout) {
        this.client = connected
                .newClient(new RequestConfigBuilder(connected.getConfiguration().getRequestConfig())
                        .withRequestRetryBackoffLimit(0)
                        .withRequestTimeout(Math.toIntExact(Math.max(1, timeout.toMillis())))
                        .build())
                .adapt(KubernetesClient.class);
        this.namespace = namespace;
        this.name = name;
    }

    Optional<GenericKubernetesResource> read() {
        var leases = client.genericKubernetesResources(LEASES).inNamespace(namespace);
        return Optional.ofNullable(ByName.select(leases, name).get());
    }

    /** The Lease as it was stored. */
    GenericKubernetesResource write(GenericKubernetesResource claim, boolean create) {
        var resource =
                client.genericKubernetesResources(LEASES).inNamespace(namespace).resource(claim);
        return create ? resource.create() : resource.update();
    }
}
