package io.capoa.api.crds;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.List;
import java.util.Objects;

/** What {@code metav1.LabelSelector} says of its fields; the client's class does not. */
final class LabelSelectorSchema {

    private LabelSelectorSchema() {}

    static void complete(JSONSchemaProps selector) {
        describe(selector, "matchLabels", "Labels that an object has to have, with these values. All count.");
        JSONSchemaProps expressions = describe(
                selector,
                "matchExpressions",
                "Requirements on the labels of an object. All count, matchLabels as well.");
        expressions.setXKubernetesListType("atomic");
        JSONSchemaProps expression = expressions.getItems().getSchema();
        expression.setDescription("A requirement on one label.");
        expression.setRequired(List.of("key", "operator"));
        describe(expression, "key", "Key of the label.");
        describe(expression, "operator", "How key and values go together: In, NotIn, Exists or DoesNotExist.");
        describe(expression, "values", "Values to look for: some with In and NotIn, none with Exists and DoesNotExist.")
                .setXKubernetesListType("atomic");
    }

    private static JSONSchemaProps describe(JSONSchemaProps schema, String field, String description) {
        JSONSchemaProps property = Objects.requireNonNull(schema.getProperties().get(field), field);
        property.setDescription(description);
        return property;
    }
}
