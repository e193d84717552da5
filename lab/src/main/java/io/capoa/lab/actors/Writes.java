package io.capoa.lab.actors;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Map;

/** The writes of one actor, each a single request. */
public final class Writes {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final Caches caches;

    /** Writes through the client; what comes back is at once what the caches show. */
    public Writes(KubernetesClient client, Caches caches) {
        this.client = client;
        this.caches = caches;
    }

    /** Creates the object unless one of that name exists; whether it was made here. */
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

    /** Writes the object whole; fails with a conflict unless it still has the version that it was read at. */
    public <R extends HasMetadata> R replace(R resource) {
        return shown(client.resource(resource).update());
    }

    /** Merge patch of the status subresource; the fragment is what stands under {@code status}. */
    public <R extends HasMetadata> R patchStatus(R resource, Map<String, ?> fragment) {
        return shown(client.resource(resource)
                .subresource("status")
                .patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("status", fragment))));
    }

    /** Merge patch of the status subresource that fails with a conflict unless the object still has that version. */
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
