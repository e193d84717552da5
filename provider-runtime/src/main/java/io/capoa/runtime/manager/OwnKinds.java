package io.capoa.runtime.manager;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks that the API server serves this manager's own kinds in the versions that it uses. It does not if the
 * CustomResourceDefinitions are of another release: API servers refuse to remove a version from one while objects may
 * be stored in that version.
 */
final class OwnKinds {

    private static final ResourceDefinitionContext DEFINITION = new ResourceDefinitionContext.Builder()
            .withGroup("apiextensions.k8s.io")
            .withVersion("v1")
            .withKind("CustomResourceDefinition")
            .withPlural("customresourcedefinitions")
            .withNamespaced(false)
            .build();

    private OwnKinds() {}

    /** Which of the kinds is not served, what is there, and the remedy; empty when all are, or when there is no answer. */
    static Optional<String> problem(KubernetesClient client, List<Class<? extends HasMetadata>> kinds) {
        return kinds.stream()
                .filter(kind -> HasMetadata.getGroup(kind).contains("."))
                .map(kind -> problem(client, kind))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> problem(KubernetesClient client, Class<? extends HasMetadata> kind) {
        String name = HasMetadata.getPlural(kind) + "." + HasMetadata.getGroup(kind);
        try {
            // By list: the providers have no right to get.
            return client
                    .genericKubernetesResources(DEFINITION)
                    .withField("metadata.name", name)
                    .list()
                    .getItems()
                    .stream()
                    .findFirst()
                    .map(definition -> problem(definition, HasMetadata.getVersion(kind)))
                    .orElseGet(() -> Optional.of("CustomResourceDefinition " + name
                            + " is not installed: apply all components of this release"));
        } catch (KubernetesClientException e) {
            return Optional.empty();
        }
    }

    /** What is wrong with a definition for a manager that works with the version. */
    static Optional<String> problem(GenericKubernetesResource definition, String version) {
        List<String> served = Fields.list(definition, "spec", "versions").stream()
                .filter(one -> Fields.isTrue(one, "served"))
                .map(one -> Objects.toString(Fields.any(one, "name")))
                .toList();
        if (served.contains(version)) {
            return Optional.empty();
        }
        List<String> stored = Fields.list(definition, "status", "storedVersions").stream()
                .map(String::valueOf)
                .toList();
        return Optional.of(
                ("CustomResourceDefinition %s does not serve %s, which this manager works with: it serves %s, and its"
                                + " status.storedVersions are %s. It is that of another release, which the API server may have refused"
                                + " to replace: see \"In place of the Go provider\" in docs/install.md, or run the release that the"
                                + " definition belongs to")
                        .formatted(
                                definition.getMetadata().getName(),
                                version,
                                String.join(", ", served),
                                String.join(", ", stored)));
    }
}
