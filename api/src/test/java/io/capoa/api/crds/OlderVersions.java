package io.capoa.api.crds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.conversion.OlderSchemas;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceSubresourceScale;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds the API versions of the Go provider to a generated CRD, and the webhook that converts them. */
final class OlderVersions {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final OlderSchemas SCHEMAS = OlderSchemas.load();

    /** Core of a v1beta1 contract reads the oldest version, as with the Go provider. */
    private static final String OLD_CONTRACT = "cluster.x-k8s.io/v1beta1";

    private OlderVersions() {}

    static void add(CustomResourceDefinition crd) {
        String kind = crd.getSpec().getNames().getKind();
        List<String> older = SCHEMAS.versions(kind);
        if (older.isEmpty()) {
            return;
        }
        List<CustomResourceDefinitionVersion> versions = new ArrayList<>();
        older.forEach(version -> versions.add(version(crd, version)));
        versions.addAll(crd.getSpec().getVersions());
        crd.getSpec().setVersions(versions);
        Map<String, String> labels = new TreeMap<>(crd.getMetadata().getLabels());
        labels.put(OLD_CONTRACT, older.getFirst());
        crd.getMetadata().setLabels(labels);
        String provider = "capoa-" + crd.getSpec().getGroup().replaceFirst("\\..*", "");
        crd.getSpec()
                .setConversion(new CustomResourceConversionBuilder()
                        .withStrategy("Webhook")
                        .withNewWebhook()
                        .withConversionReviewVersions("v1")
                        .withNewClientConfig()
                        .withNewService()
                        .withName(provider + "-webhook-service")
                        .withNamespace(provider + "-system")
                        .withPath("/convert")
                        .endService()
                        .endClientConfig()
                        .endWebhook()
                        .build());
    }

    private static CustomResourceDefinitionVersion version(CustomResourceDefinition crd, String name) {
        String kind = crd.getSpec().getNames().getKind();
        return new CustomResourceDefinitionVersionBuilder()
                .withName(name)
                .withServed(true)
                .withStorage(false)
                .withDeprecated(true)
                .withDeprecationWarning("%s/%s %s is deprecated; use %s/v1beta1"
                        .formatted(
                                crd.getSpec().getGroup(),
                                name,
                                kind,
                                crd.getSpec().getGroup()))
                .withAdditionalPrinterColumns(SCHEMAS.columns(kind, name).stream()
                        .map(column -> read(column, CustomResourceColumnDefinition.class))
                        .toList())
                .withNewSubresources()
                .withNewStatus()
                .endStatus()
                .withScale(scale(crd))
                .endSubresources()
                .withNewSchema()
                .withOpenAPIV3Schema(read(SCHEMAS.schema(kind, name), JSONSchemaProps.class))
                .endSchema()
                .build();
    }

    private static CustomResourceSubresourceScale scale(CustomResourceDefinition crd) {
        var subresources = crd.getSpec().getVersions().getLast().getSubresources();
        return subresources == null ? null : subresources.getScale();
    }

    private static <T> T read(JsonNode node, Class<T> type) {
        return JSON.convertValue(node, type);
    }
}
