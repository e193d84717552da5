package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Map;

/** Writes of one controller, each a single request. */
public final class Writes {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final Caches caches;

    /** Writes through the client and stores responses in the caches. */
    public Writes(KubernetesClient client, Caches caches) {
        this.client = client;
        this.caches = caches;
    }

    /** Creates the object unless it exists; whether it was created. */
    public boolean create(HasMetadata desired) {
        if (desired instanceof GenericKubernetesResource generic && generic.getKind() == null) {
            generic.setKind(HasMetadata.getKind(desired.getClass()));
        }
        try {
            client.resource(desired).create();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    /** Merge patch of metadata and spec; {@code null} values in the map remove fields. */
    public <R extends HasMetadata> R patch(R resource, Map<String, ?> fragment) {
        return shown(client.resource(resource)
                .patch(MERGE, client.getKubernetesSerialization().asJson(fragment)));
    }

    /** Updates the whole object with an optimistic lock. */
    public <R extends HasMetadata> R replace(R resource) {
        return shown(client.resource(resource).update());
    }

    /** Merge patch of the status subresource; the fragment is the content of {@code status}. */
    public <R extends HasMetadata> R patchStatus(R resource, Map<String, ?> fragment) {
        return shown(client.resource(resource)
                .subresource("status")
                .patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("status", fragment))));
    }

    /** Merge patch of the status subresource with an optimistic lock. */
    public <R extends HasMetadata> R patchStatus(R resource, Map<String, ?> fragment, String resourceVersion) {
        Map<String, ?> body = Map.of("metadata", Map.of("resourceVersion", resourceVersion), "status", fragment);
        return shown(client.resource(resource)
                .subresource("status")
                .patch(MERGE, client.getKubernetesSerialization().asJson(body)));
    }

    private <R extends HasMetadata> R shown(R answer) {
        caches.wrote(answer);
        return answer;
    }

    /** Deletes the object; absent is fine. */
    public void delete(HasMetadata resource) {
        client.resource(resource).delete();
    }
}
