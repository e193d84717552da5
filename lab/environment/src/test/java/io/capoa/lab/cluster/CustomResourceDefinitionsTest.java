package io.capoa.lab.cluster;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("full")
@ExtendWith(SharedCluster.class)
class CustomResourceDefinitionsTest {

    private static final int ROUNDS = 10;
    private static final String ANY_OBJECT = "{openAPIV3Schema: {type: object}}";

    private final KubernetesClient client;

    CustomResourceDefinitionsTest(TestCluster cluster) {
        client = cluster.admin();
    }

    /** The API server empties the store of a definition before it removes it, and has just replaced this store. */
    @Test
    void definitionsThatHaveJustChanged_areRemoved() {
        var definitions = new CustomResourceDefinitions(client);
        List<String> plurals = List.of("first", "second", "third");
        List<String> names =
                plurals.stream().map(plural -> plural + ".removed.example.com").toList();
        for (int round = 0; round < ROUNDS; round++) {
            definitions.install(
                    plurals.stream().map(plural -> definition(plural, "v1")).toList());
            plurals.forEach(plural -> {
                var changed = client.resource(definition(plural, "v1", "v2"))
                        .fieldManager("lab")
                        .serverSideApply();
            });

            definitions.remove(Stream.concat(names.stream(), Stream.of("absent.example.com"))
                    .toList());

            assertThat(client.apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .list()
                            .getItems())
                    .extracting(definition -> definition.getMetadata().getName())
                    .isNotEmpty()
                    .doesNotContainAnyElementsOf(names);
        }
    }

    /** The versions are all served; the last is stored. */
    private static GenericKubernetesResource definition(String plural, String... versions) {
        String stored = versions[versions.length - 1];
        String kind = plural.substring(0, 1).toUpperCase(Locale.ROOT) + plural.substring(1);
        return ManifestFiles.parse(
                        """
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata: {name: %1$s.removed.example.com}
                        spec:
                          group: removed.example.com
                          names: {plural: %1$s, kind: %2$s, listKind: %2$sList, singular: %1$s}
                          scope: Cluster
                          versions: [%3$s]
                        """.formatted(
                                        plural,
                                        kind,
                                        Stream.of(versions)
                                                .map(version -> "{name: %s, served: true, storage: %s, schema: %s}"
                                                        .formatted(version, version.equals(stored), ANY_OBJECT))
                                                .collect(joining(", "))),
                        "definition")
                .getFirst();
    }
}
