package io.capoa.runtime.write;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;

/**
 * Writes that change how objects are stored, and nothing of what they say. Each is one JSON merge patch that names the
 * resource version, and throws {@link KubernetesClientException} when the API server refuses it.
 */
public final class StorageWriter {

    private final KubernetesClient client;
    private final PatchContext merge;

    /** Writes through the client, as the field manager. */
    public StorageWriter(KubernetesClient client, String fieldManager) {
        this.client = client;
        this.merge = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(fieldManager)
                .build();
    }

    /**
     * Has the API server store the object in its present storage version. One that is gone, or that was written in the
     * meantime, is left alone: it is not stored in another version any more.
     *
     * @param throughStatus whether its kind has the status subresource, whose writes no admission webhook judges
     */
    public void storeAgain(GenericKubernetesResource actual, boolean throughStatus) {
        try {
            send(actual, Map.of(), throughStatus);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    /** Replaces {@code metadata.managedFields}; an object that is gone is left alone. */
    public void setManagedFields(GenericKubernetesResource actual, List<?> entries) {
        try {
            send(actual, Map.of("metadata", Map.of("managedFields", entries)), false);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    /**
     * Declares that all objects are stored in that version.
     *
     * @return the CRD as it is now
     */
    public CustomResourceDefinition setStoredVersion(CustomResourceDefinition actual, String version) {
        return send(actual, Map.of("status", Map.of("storedVersions", List.of(version))), true);
    }

    private <R extends HasMetadata> R send(R actual, Map<String, Object> change, boolean toStatus) {
        String body = client.getKubernetesSerialization()
                .asJson(Differences.onlyIf(
                        change, "resourceVersion", actual.getMetadata().getResourceVersion()));
        return toStatus
                ? client.resource(actual).subresource("status").patch(merge, body)
                : client.resource(actual).patch(merge, body);
    }
}
