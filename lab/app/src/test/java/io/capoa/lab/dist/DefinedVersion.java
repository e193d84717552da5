package io.capoa.lab.dist;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.Stream;

/**
 * A version in a CustomResourceDefinition.
 *
 * @param name of the definition and the version, separated by a slash
 * @param conversion strategy of the definition's conversion, or empty
 */
record DefinedVersion(String name, boolean served, boolean stored, String conversion) {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** All of the definitions among these objects, in their order. */
    static List<DefinedVersion> of(List<GenericKubernetesResource> objects) {
        return objects.stream()
                .filter(object -> object.getKind().equals("CustomResourceDefinition"))
                .map(object -> YAML.convertValue(object, CustomResourceDefinition.class))
                .flatMap(DefinedVersion::of)
                .toList();
    }

    private static Stream<DefinedVersion> of(CustomResourceDefinition definition) {
        var conversion = definition.getSpec().getConversion();
        return definition.getSpec().getVersions().stream()
                .map(version -> new DefinedVersion(
                        definition.getMetadata().getName() + "/" + version.getName(),
                        version.getServed(),
                        version.getStorage(),
                        conversion == null ? "" : conversion.getStrategy()));
    }
}
