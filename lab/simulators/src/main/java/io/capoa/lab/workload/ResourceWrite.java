package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes to objects of one kind as kube-apiserver accepts them: of a kind with a status subresource, each path changes
 * its own part only.
 *
 * @param status whether the path of the status is written to
 */
record ResourceWrite(Resource resource, boolean status) {

    /** The object as it is stored when it is created. */
    Map<String, Object> created(Map<String, Object> object) {
        if (resource.hasStatus()) {
            ObjectStore.metadata(object).put("generation", 1);
        }
        return withKind(object);
    }

    /** Replaces an object; {@code null} if it does not exist. */
    @Nullable
    Map<String, Object> put(ObjectStore store, String name, Map<String, Object> object) throws ObjectStore.Rejected {
        return store.change(resource.path(), name, stored -> accepted(stored, withKind(object)));
    }

    /** Patches an object; {@code null} if it does not exist. */
    @Nullable
    Map<String, Object> patch(ObjectStore store, String name, String contentType, Map<String, Object> patch)
            throws ObjectStore.Rejected {
        return store.change(resource.path(), name, stored -> {
            Map<String, Object> patched = Json.copy(stored);
            if (contentType.contains("strategic-merge-patch")) {
                StrategicMerge.apply(patched, patch);
            } else if (contentType.contains("merge-patch")) {
                Json.merge(patched, patch);
            } else {
                throw new ObjectStore.Rejected(
                        415, "UnsupportedMediaType", "this server knows merge patches only, not " + contentType);
            }
            return accepted(stored, patched);
        });
    }

    private Map<String, Object> accepted(Map<String, Object> stored, Map<String, Object> written)
            throws ObjectStore.Rejected {
        if (!resource.hasStatus()) {
            return written;
        }
        Map<String, Object> result = Json.copy(status ? stored : written);
        Object kept = (status ? written : stored).get("status");
        if (kept == null) {
            result.remove("status");
        } else {
            result.put("status", kept);
        }
        Object expected = Fields.any(written, "metadata", "resourceVersion");
        if (expected == null) {
            ObjectStore.metadata(result).remove("resourceVersion");
        } else {
            ObjectStore.metadata(result).put("resourceVersion", expected);
        }
        if (resource == Resource.CLUSTER_VERSIONS) {
            ClusterVersionSchema.check(result);
        }
        return result;
    }

    private Map<String, Object> withKind(Map<String, Object> object) {
        object.put("apiVersion", resource.apiVersion());
        object.put("kind", resource.kind());
        return object;
    }
}
