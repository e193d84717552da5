package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;

/**
 * A kind whose objects may have any fields, for tests that need it served and nothing validated.
 *
 * @param version the only one, served and stored
 * @param plural lower-case
 * @param scope {@code Namespaced} or {@code Cluster}
 */
public record OpenKind(String group, String version, String kind, String plural, String scope) {

    /** Its definition, without subresources. */
    public CustomResourceDefinition definition() {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName(plural + "." + group)
                .endMetadata()
                .withNewSpec()
                .withGroup(group)
                .withScope(scope)
                .withNewNames()
                .withKind(kind)
                .withPlural(plural)
                .endNames()
                .addNewVersion()
                .withName(version)
                .withServed(true)
                .withStorage(true)
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }
}
