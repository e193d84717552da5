package io.capoa.api.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** The resource with the v1beta1 schemas of the CRDs by kind, without what only readers need. */
final class HubSchemaFile {

    static final Path PATH =
            Path.of("src", "main", "resources", "io", "capoa", "api", "rules", "schema", "v1beta1.json");

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private HubSchemaFile() {}

    static String of(Collection<String> crds) throws IOException {
        ObjectNode schemas = JSON.createObjectNode();
        for (String yaml : crds) {
            JsonNode crd = new YAMLMapper().readTree(yaml);
            for (JsonNode version : crd.at("/spec/versions")) {
                if (version.path("name").asText().equals("v1beta1")) {
                    JsonNode schema = version.at("/schema/openAPIV3Schema");
                    strip(schema);
                    schemas.set(crd.at("/spec/names/kind").asText(), schema);
                }
            }
        }
        return JSON.writeValueAsString(schemas) + "\n";
    }

    private static void strip(JsonNode schema) {
        var unused = ((ObjectNode) schema).remove("description");
        schema.path("x-kubernetes-validations")
                .forEach(rule -> ((ObjectNode) rule).remove(List.of("messageExpression", "optionalOldSelf")));
        schema.path("properties").forEach(HubSchemaFile::strip);
        for (String inner : List.of("items", "additionalProperties")) {
            if (schema.path(inner).isObject()) {
                strip(schema.path(inner));
            }
        }
    }
}
