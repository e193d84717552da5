package io.capoa.lab.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Objects and messages without what may be a credential: tokens and passwords in URLs, Ignition, install-config. */
final class Redacted {

    private static final String HIDDEN = "(hidden)";

    /** Services put tokens in the query of addresses. */
    private static final Pattern QUERY = Pattern.compile("(\\w+://[^\\s?\"'<>]*\\?)[^\\s\"'<>]+");

    private static final Pattern USER = Pattern.compile("(\\w+://)[^\\s/@?\"'<>]+@");
    private static final Pattern SECRET_FIELD = Pattern.compile("ignition.*override|install-?config|password|token$");

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private Redacted() {}

    static String text(String text) {
        return text.contains("://")
                ? QUERY.matcher(USER.matcher(text).replaceAll("$1" + HIDDEN + "@"))
                        .replaceAll("$1" + HIDDEN)
                : text;
    }

    /** The object as a person would apply it, and its status. */
    static String yaml(HasMetadata object) {
        ObjectNode root = YAML.convertValue(object, ObjectNode.class);
        if (root.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
            if (metadata.get("annotations") instanceof ObjectNode annotations) {
                annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
            }
        }
        redact(root);
        return YAML.asYaml(root);
    }

    private static void redact(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (SECRET_FIELD
                        .matcher(field.getKey().toLowerCase(Locale.ROOT))
                        .find()) {
                    field.setValue(TextNode.valueOf(HIDDEN));
                } else if (field.getValue() instanceof TextNode value) {
                    field.setValue(TextNode.valueOf(text(value.textValue())));
                } else {
                    redact(field.getValue());
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i) instanceof TextNode value) {
                    array.set(i, TextNode.valueOf(text(value.textValue())));
                } else {
                    redact(array.get(i));
                }
            }
        }
    }
}
