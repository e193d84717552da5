package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Template and sample for a CAPM3 of contract v1beta1, with the publisher's CRDs of that version. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class OlderCapm3Test {

    private static final String NAMESPACE = "older-capm3";
    private static final List<String> KINDS =
            List.of("metal3clusters", "metal3machinetemplates", "metal3datatemplates");

    @Test
    void theApiServerTakesEveryObjectOfTemplateAndSample() throws Exception {
        Path published = ProjectRoot.find().resolve("../shared/crds/metal3");
        assumeTrue(Files.isDirectory(published), "Metal3's CustomResourceDefinitions are not beside the checkout");
        String template = Variables.fill(
                DistRelease.built().file(DistRelease.CONTROL_PLANE, "cluster-template-capm3-v1beta1.yaml"),
                TemplatesTest.VALUES);
        String sample = Files.readString(ProjectRoot.find().resolve("config/samples/capm3-v1beta1.yaml"));
        try (LocalCluster cluster = PreparedClusters.start()) {
            for (String kind : KINDS) {
                serveOlder(cluster, published, kind);
            }
            var made = cluster.admin()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();
            assertThat(made.getMetadata().getName()).isEqualTo(NAMESPACE);
            ServerDryRun server = new ServerDryRun(cluster.admin());
            for (String text : List.of(template, sample)) {
                List<GenericKubernetesResource> objects = ManifestFiles.parse(text, "template or sample");
                assertThat(objects)
                        .filteredOn(object -> object.getKind().startsWith("Metal3"))
                        .hasSizeGreaterThanOrEqualTo(4)
                        .allSatisfy(object -> assertThat(object.getApiVersion())
                                .isEqualTo("infrastructure.cluster.x-k8s.io/v1beta1"));
                for (GenericKubernetesResource object : objects) {
                    ServerDryRun.Answer answer = server.apply(object, NAMESPACE);
                    assertThat(answer.code())
                            .as(
                                    "%s %s: %s",
                                    object.getKind(), object.getMetadata().getName(), answer.body())
                            .isIn(200, 201);
                }
            }
        }
    }

    private static void serveOlder(LocalCluster cluster, Path published, String plural) throws IOException {
        Path file = published.resolve("infrastructure.cluster.x-k8s.io_" + plural + ".yaml");
        GenericKubernetesResource definition =
                ManifestFiles.parse(Files.readString(file), file.toString()).getFirst();
        var definitions = new CustomResourceDefinitions(cluster.admin());
        definitions.remove(List.of(definition.getMetadata().getName()));
        List<Map<String, Object>> versions = definition.get("spec", "versions");
        versions.removeIf(version -> !"v1beta1".equals(version.get("name")));
        assertThat(versions).hasSize(1);
        versions.getFirst().put("storage", true);
        definitions.install(List.of(definition));
    }
}
