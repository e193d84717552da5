package io.capoa.api.crds;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.capoa.api.schema.Atomic;
import io.capoa.api.schema.Format;
import io.capoa.api.schema.ListMapKeys;
import io.capoa.api.schema.OneOf;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Completes a generated CRD with what the generator leaves out: descriptions of objects, formats, accepted values, list
 * and map types, whether {@code spec} is required, and the order of printer columns.
 *
 * <p>It walks schema and Java type side by side and takes everything from the type and its annotations.
 */
final class SchemaGaps {

    private SchemaGaps() {}

    static void close(CustomResourceDefinition crd) {
        for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
            Class<? extends HasMetadata> kind = kindOf(crd.getSpec().getNames().getKind(), version.getName());
            JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
            describe(root, kind);
            JSONSchemaProps spec = property(root, "spec");
            walk(spec, Kinds.specAndStatus(kind).getFirst());
            if (spec.getRequired().isEmpty()) {
                // Always present, so that a rule that compares with the old spec sees every change.
                spec.setDefault(JsonNodeFactory.instance.objectNode());
            } else {
                root.setRequired(List.of("spec"));
            }
            Class<?> status = Kinds.specAndStatus(kind).getLast();
            if (status == Void.class) {
                // The generator makes an empty object of it.
                root.getProperties().remove("status");
                version.setSubresources(null);
            } else {
                walk(property(root, "status"), status);
            }
            sortColumns(version, kind);
        }
    }

    private static Class<? extends HasMetadata> kindOf(String kind, String version) {
        return Kinds.ALL.stream()
                .filter(type -> HasMetadata.getKind(type).equals(kind)
                        && HasMetadata.getVersion(type).equals(version))
                .findFirst()
                .orElseThrow();
    }

    private static JSONSchemaProps property(JSONSchemaProps schema, String name) {
        return Objects.requireNonNull(schema.getProperties().get(name), name);
    }

    private static void walk(JSONSchemaProps schema, Type type) {
        if (type == Integer.class) {
            schema.setFormat("int32");
        } else if (type == Long.class) {
            schema.setFormat("int64");
        } else if (type instanceof Class<?> object && object.isRecord()) {
            describe(schema, object);
            atomic(schema, object);
            for (RecordComponent component : object.getRecordComponents()) {
                JSONSchemaProps property = property(schema, component.getName());
                walk(property, component.getGenericType());
                annotated(property, component);
            }
        } else if (type == LabelSelector.class) {
            LabelSelectorSchema.complete(schema);
        } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            schema.setXKubernetesListType("atomic");
            walk(schema.getItems().getSchema(), list.getActualTypeArguments()[0]);
        }
    }

    private static void annotated(JSONSchemaProps property, RecordComponent component) {
        atomic(property, component);
        // The generator finds a rule twice: on the component's field and on its accessor.
        property.setXKubernetesValidations(
                property.getXKubernetesValidations().stream().distinct().toList());
        var format = component.getAnnotation(Format.class);
        if (format != null) {
            property.setFormat(format.value());
        }
        var oneOf = component.getAnnotation(OneOf.class);
        if (oneOf != null) {
            property.setEnum(Arrays.stream(oneOf.value())
                    .<JsonNode>map(TextNode::valueOf)
                    .toList());
        }
        var keys = component.getAnnotation(ListMapKeys.class);
        if (keys != null) {
            property.setXKubernetesListType("map");
            property.setXKubernetesListMapKeys(List.of(keys.value()));
        }
    }

    private static void atomic(JSONSchemaProps schema, AnnotatedElement element) {
        if (element.isAnnotationPresent(Atomic.class)) {
            schema.setXKubernetesMapType("atomic");
        }
    }

    /** A field's own description wins over that of its type. */
    private static void describe(JSONSchemaProps schema, Class<?> type) {
        var description = type.getAnnotation(JsonClassDescription.class);
        if (description != null && schema.getDescription() == null) {
            schema.setDescription(description.value());
        }
    }

    private static void sortColumns(CustomResourceDefinitionVersion version, Class<?> kind) {
        List<String> order = Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::name)
                .toList();
        version.getAdditionalPrinterColumns()
                .sort(Comparator.comparingInt(
                        (CustomResourceColumnDefinition column) -> order.indexOf(column.getName())));
    }
}
