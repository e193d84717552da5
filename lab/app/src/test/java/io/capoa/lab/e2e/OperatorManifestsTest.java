package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.GoModule;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.clusterctl.ReleaseBuild;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The providers of a release for the Cluster API operator fit the operator's own CRDs. */
@Tag("e2e")
@NeedsGo
@ExtendWith(SharedCluster.class)
class OperatorManifestsTest {

    private static final Path ROOT = ProjectRoot.find();

    private final KubernetesClient admin;
    private final List<HasMetadata> definitions = new ArrayList<>();

    @TempDir
    private Path folder;

    OperatorManifestsTest(TestCluster cluster) {
        this.admin = cluster.admin();
    }

    @BeforeEach
    void installDefinitions() throws IOException {
        Path bases = GoModule.clusterApiOperator(ROOT).files().resolve("config/crd/bases");
        try (Stream<Path> files = Files.list(bases)) {
            for (Path file : files.filter(path -> path.toString().matches(".*_(bootstrap|controlplane)providers.yaml"))
                    .toList()) {
                try (InputStream yaml = Files.newInputStream(file)) {
                    definitions.addAll(admin.load(yaml).serverSideApply());
                }
            }
        }
        assertThat(definitions)
                .hasSize(2)
                .allSatisfy(definition -> assertThat(admin.resource(definition)
                                .waitUntilCondition(OperatorManifestsTest::isEstablished, 30, TimeUnit.SECONDS))
                        .isNotNull());
    }

    @AfterEach
    void removeDefinitions() {
        definitions.forEach(definition -> admin.resource(definition).delete());
    }

    @Test
    void theApiServerTakesThem_withoutAnUnknownField() throws IOException {
        var unused = ReleaseBuild.manifests(
                ROOT, Binaries.ofThisProcess(), "v0.2.0", folder, "--source", "https://github.com/example/capoa");

        List<HasMetadata> objects;
        try (InputStream yaml = Files.newInputStream(folder.resolve("operator.yaml"))) {
            objects = admin.load(yaml).items();
        }

        assertThat(objects).hasSize(4).allSatisfy(object -> {
            if (object.getKind().equals("Namespace")) {
                admin.resource(object).serverSideApply();
            } else {
                assertThat(admin.resource(object)
                                .fieldValidation(Validation.STRICT)
                                .create()
                                .getMetadata()
                                .getUid())
                        .isNotBlank();
            }
        });
    }

    private static boolean isEstablished(HasMetadata definition) {
        return definition instanceof CustomResourceDefinition established
                && established.getStatus() != null
                && established.getStatus().getConditions() != null
                && established.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }
}
