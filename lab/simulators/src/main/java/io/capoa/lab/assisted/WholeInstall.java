package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Updates an AgentClusterInstall as the service does: as a whole, after a round trip through its Go types. */
final class WholeInstall {

    private WholeInstall() {}

    /**
     * Writes the object with changes, with an optimistic lock.
     *
     * @param metadata changed {@code finalizers} and {@code ownerReferences}
     * @param spec changed fields of the spec
     */
    @SuppressWarnings("unchecked")
    static void write(
            Writes writes, AgentClusterInstall install, Map<String, Object> metadata, Map<String, Object> spec) {
        ObjectMeta changed = new ObjectMetaBuilder(install.getMetadata()).build();
        if (metadata.get("finalizers") instanceof List<?> finalizers) {
            changed.setFinalizers((List<String>) finalizers);
        }
        if (metadata.get("ownerReferences") instanceof List<?> owners) {
            changed.setOwnerReferences((List<OwnerReference>) owners);
        }
        // The API server maintains managed fields.
        changed.setManagedFields(null);
        Map<String, Object> fields = new LinkedHashMap<>(Fields.map(install, "spec"));
        fields.putAll(spec);
        AgentClusterInstall whole = new AgentClusterInstall();
        whole.setApiVersion(install.getApiVersion());
        whole.setKind(install.getKind());
        whole.setMetadata(changed);
        install.getAdditionalProperties().forEach(whole::setAdditionalProperty);
        whole.setAdditionalProperty("spec", GoTypes.rewritten(fields));
        writes.replace(whole);
    }
}
