package io.capoa.api.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The generated schema of a kind by field: {@code .spec.config.apiVIPs}; an entry of a list has its list's path. */
final class Schemas {

    private Schemas() {}

    static Set<String> fields(Class<? extends HasMetadata> kind) throws IOException {
        return descriptions(kind).keySet();
    }

    /** Field to description, which is empty where there is none. */
    static SortedMap<String, String> descriptions(Class<? extends HasMetadata> kind) throws IOException {
        String file = HasMetadata.getGroup(kind) + "_" + HasMetadata.getPlural(kind) + ".yaml";
        JsonNode crd = new YAMLMapper().readTree(CrdFiles.generate().get(file));
        var descriptions = new TreeMap<String, String>();
        for (JsonNode version : crd.at("/spec/versions")) {
            if (version.path("name").asText().equals(HasMetadata.getVersion(kind))) {
                collect(version.at("/schema/openAPIV3Schema"), "", descriptions);
            }
        }
        return descriptions;
    }

    private static void collect(JsonNode schema, String path, SortedMap<String, String> into) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String at = path + "." + property.getKey();
            into.put(at, property.getValue().path("description").asText());
            collect(property.getValue(), at, into);
        }
        if (schema.has("items")) {
            collect(schema.path("items"), path, into);
        }
    }
}
