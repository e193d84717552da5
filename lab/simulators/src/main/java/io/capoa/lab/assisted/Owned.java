package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Adds and removes the service's finalizers and owner references, with an optimistic lock. */
final class Owned {

    static final String CLUSTER_FINALIZER = "clusterdeployments.agent-install.openshift.io/ai-deprovision";
    static final String INSTALL_FINALIZER = "agentclusterinstall.agent-install.openshift.io/ai-deprovision";
    static final String INFRA_ENV_FINALIZER = "infraenv.agent-install.openshift.io/ai-deprovision";
    static final String AGENT_FINALIZER = "agent.agent-install.openshift.io/ai-deprovision";

    private final Writes writes;

    Owned(Writes writes) {
        this.writes = writes;
    }

    static boolean isDeleting(HasMetadata resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    /** Ensures the finalizer, and the owner references if given. */
    void ensure(HasMetadata resource, String finalizer, OwnerReference... owners) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        List<String> finalizers = new ArrayList<>(resource.getMetadata().getFinalizers());
        if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
            metadata.put("finalizers", finalizers);
        }
        List<OwnerReference> references = new ArrayList<>(resource.getMetadata().getOwnerReferences());
        for (OwnerReference owner : owners) {
            if (references.stream().noneMatch(r -> r.getUid().equals(owner.getUid()))) {
                references.add(owner);
                metadata.put("ownerReferences", references);
            }
        }
        write(resource, metadata);
    }

    void release(HasMetadata resource, String finalizer) {
        List<String> finalizers = new ArrayList<>(resource.getMetadata().getFinalizers());
        if (finalizers.remove(finalizer)) {
            write(resource, new LinkedHashMap<>(Map.of("finalizers", finalizers)));
        }
    }

    private void write(HasMetadata resource, Map<String, Object> metadata) {
        if (resource instanceof AgentClusterInstall install && !metadata.isEmpty()) {
            WholeInstall.write(writes, install, metadata, Map.of());
        } else if (!metadata.isEmpty()) {
            metadata.put(
                    "resourceVersion",
                    Objects.requireNonNull(resource.getMetadata().getResourceVersion()));
            writes.patch(resource, Map.of("metadata", metadata));
        }
    }

    static OwnerReference reference(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .build();
    }
}
