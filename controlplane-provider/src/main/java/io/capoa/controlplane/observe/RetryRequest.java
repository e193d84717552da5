package io.capoa.controlplane.observe;

import io.capoa.api.Annotations;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The user's request to repeat a failed installation: an annotation on the control plane. The AgentClusterInstall records
 * the value under which it was created, so that each value repeats the installation once.
 */
public final class RetryRequest {

    private RetryRequest() {}

    /** Whether the failed AgentClusterInstall was created under another value than the control plane has now. */
    public static boolean isDue(ControlPlaneIdentity identity, @Nullable AgentClusterInstall failed) {
        String requested = value(identity.controlPlane());
        return failed != null && requested != null && !requested.equals(value(failed));
    }

    /** Records the requested value in a new AgentClusterInstall; an existing one keeps its own. */
    public static void mark(
            ControlPlaneIdentity identity, @Nullable AgentClusterInstall existing, HasMetadata desired) {
        String value = value(existing == null ? identity.controlPlane() : existing);
        if (value != null) {
            Map<String, String> annotations = desired.getMetadata().getAnnotations();
            Map<String, String> marked = annotations == null ? new TreeMap<>() : new TreeMap<>(annotations);
            marked.put(Annotations.RETRY_INSTALL, value);
            desired.getMetadata().setAnnotations(marked);
        }
    }

    private static @Nullable String value(HasMetadata object) {
        return Annotations.value(object, Annotations.RETRY_INSTALL);
    }
}
