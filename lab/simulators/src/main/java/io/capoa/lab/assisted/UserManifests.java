package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The manifests in the ConfigMaps that an AgentClusterInstall refers to, which the installer adds to its own. */
final class UserManifests {

    private final Caches.Cache<ConfigMap> configMaps;

    UserManifests(Caches caches) {
        configMaps = caches.of(ConfigMap.class);
    }

    /** All documents that are mappings, by ConfigMap in the order of the references, then by key. */
    List<Map<String, Object>> of(AgentClusterInstall install) {
        List<Map<String, Object>> manifests = new ArrayList<>();
        for (Object reference : Fields.list(install, "spec", "manifestsConfigMapRefs")) {
            ConfigMap map = configMaps.get(
                    new Key(install.getMetadata().getNamespace(), String.valueOf(Fields.any(reference, "name"))));
            if (map != null) {
                new TreeMap<>(Objects.requireNonNullElse(map.getData(), Map.<String, String>of()))
                        .values()
                        .forEach(text -> manifests.addAll(documents(text)));
            }
        }
        return manifests;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> documents(String text) {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (String document : text.split("(?m)^---\\s*$", -1)) {
            if (!document.isBlank() && Serialization.unmarshal(document, Object.class) instanceof Map<?, ?> map) {
                documents.add((Map<String, Object>) map);
            }
        }
        return documents;
    }
}
