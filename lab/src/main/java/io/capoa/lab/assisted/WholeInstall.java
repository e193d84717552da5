package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.lab.actors.Writes;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes an AgentClusterInstall as the service does: never a few fields, but the whole object in its Go types. */
final class WholeInstall {

    private WholeInstall() {}

    /**
     * Writes the object with changes; fails with a conflict when it is no longer the one that was read.
     *
     * @param metadata {@code finalizers} and {@code ownerReferences}, where they change
     * @param spec fields of the spec that change
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
        // The API server keeps the record of who set what.
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
