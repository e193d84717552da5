package io.capoa.runtime.write;

import io.capoa.runtime.client.ObjectName;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Deletes the object that was read, never a later one of the same name: every request has the UID as a precondition,
 * which the client's own {@code delete()} lacks.
 */
public final class Deletion {

    private static final String IN_BACKGROUND = "Background";
    private static final int REMEMBERED = 1000;

    private final KubernetesClient client;
    /** UIDs that the API server has taken for deletion, which is for good, however late a cache shows it. */
    private final Set<String> done = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }));

    /** Deletes through the client, of whatever cluster that is. */
    public Deletion(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Deletes the object; sends nothing for one that was deleted through this instance before.
     *
     * @param actual as it was read, of a class that names its kind
     * @param unchanged whether it must still be as it was read
     * @return whether it is deleted or being deleted; {@code false} if another object has the name, or if it has changed
     * @throws KubernetesClientException when the API server refuses for another reason
     */
    public boolean send(HasMetadata actual, boolean unchanged) {
        if (isDone(actual)) {
            return true;
        }
        try {
            client.raw(path(actual), "DELETE", options(uid(actual), actual.getMetadata(), unchanged));
            done.add(uid(actual));
            return true;
        } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
                case HttpURLConnection.HTTP_NOT_FOUND -> true;
                case HttpURLConnection.HTTP_CONFLICT -> false;
                default -> throw e;
            };
        }
    }

    /** Whether the object is being deleted, as far as it was read or by this instance. */
    boolean isDone(HasMetadata actual) {
        return actual.getMetadata().getDeletionTimestamp() != null || done.contains(uid(actual));
    }

    private static String uid(HasMetadata actual) {
        return Objects.requireNonNull(actual.getMetadata().getUid(), "what was read has a UID");
    }

    private static DeleteOptions options(String uid, ObjectMeta metadata, boolean unchanged) {
        return new DeleteOptionsBuilder()
                .withPropagationPolicy(IN_BACKGROUND)
                .withNewPreconditions()
                .withUid(uid)
                .withResourceVersion(unchanged ? Objects.requireNonNull(metadata.getResourceVersion()) : null)
                .endPreconditions()
                .build();
    }

    private static String path(HasMetadata actual) {
        if (actual.getClass() == GenericKubernetesResource.class) {
            throw new IllegalArgumentException("no class tells the plural of kind " + actual.getKind());
        }
        ResourceDefinitionContext kind = ResourceDefinitionContext.fromResourceType(actual.getClass());
        String root = kind.getGroup() == null || kind.getGroup().isEmpty()
                ? "/api/" + kind.getVersion()
                : "/apis/" + kind.getGroup() + "/" + kind.getVersion();
        String namespace =
                kind.isNamespaceScoped() ? "/namespaces/" + actual.getMetadata().getNamespace() : "";
        return root + namespace + "/" + kind.getPlural() + "/"
                + ObjectName.require(actual.getMetadata().getName());
    }
}
