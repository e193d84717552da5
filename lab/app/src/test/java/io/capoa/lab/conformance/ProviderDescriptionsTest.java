package io.capoa.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderDescriptionsTest {

    private static final String DESCRIPTION = """
            name: example
            definitions: [crds]
            manifests: [role.yaml]
            cluster: cluster.yaml
            command: [./controller, --v=2]
            instances: [./list]
            timeoutSeconds: 90
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectory(folder.resolve("crds"));
        Files.writeString(folder.resolve("role.yaml"), "");
        Files.copy(ProjectRoot.find().resolve("config/samples/external.yaml"), folder.resolve("cluster.yaml"));
    }

    @Test
    void withoutValue_theProvidersOfTheLabAreSelected() {
        assertThat(select("")).extracting(ProviderUnderTest::name).containsExactly("metal3", "lab-cloud");
        assertThat(select("lab-cloud")).singleElement().satisfies(cloud -> {
            assertThat(cloud.isForeign()).isFalse();
            assertThat(cloud.clusterManifest().machines())
                    .containsExactly(
                            new ClusterManifest.InfrastructureKind("infrastructure.lab.capoa.io", "LabCloudMachine"));
        });
        assertThat(select("metal3")
                        .getFirst()
                        .clusterManifest()
                        .infrastructure()
                        .kind())
                .isEqualTo("Metal3Cluster");
    }

    @Test
    void aFileDescribesAProvider() throws IOException {
        ProviderUnderTest provider = select(file(DESCRIPTION)).getFirst();

        assertThat(provider.name()).isEqualTo("example");
        assertThat(provider.isForeign()).isTrue();
        assertThat(provider.definitions()).containsExactly(folder.resolve("crds"));
        assertThat(provider.commands().controller()).containsExactly("./controller", "--v=2");
        assertThat(provider.patience()).isEqualTo(Duration.ofSeconds(90));
        assertThat(provider.clusterManifest().cluster()).isEqualTo("external");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: example | title: example | field title of FILE is not known: use cluster, command",
                "name: example | name: [a] | field name of FILE is not a text: give the provider a name",
                "definitions: [crds] | manifests: [role.yaml] | field definitions of FILE is missing: list files or folders",
                "definitions: [crds] | definitions: crds | field definitions of FILE is not a list of texts",
                "definitions: [crds] | definitions: [other] | field definitions of FILE names",
                "cluster: cluster.yaml | '' | field cluster of FILE is missing: name the manifest of a cluster",
                "command: [./controller, --v=2] | '' | field command of FILE is missing: list the program",
                "timeoutSeconds: 90 | timeoutSeconds: soon | field timeoutSeconds of FILE is soon: give a number",
                "name: example | name: [ | FILE is not valid YAML"
            })
    void aWrongField_isNamedWithTheRemedy(String good, String bad, String said) throws IOException {
        String file = file(DESCRIPTION.replace("manifests: [role.yaml]\n", "").replace(good, bad));
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> select(file))
                .withMessageStartingWith("Description of an infrastructure provider: ")
                .withMessageContaining(said.replace("FILE", file));
    }

    @Test
    void aFileThatDoesNotExist_isNamedWithTheAlternatives() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> select("nowhere.yaml"))
                .withMessageContainingAll("nowhere.yaml", "metal3", "lab-cloud", "docs/onboarding-infrastructure.md");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Cluster$ | kind: Clutter | has 0 objects of kind Cluster",
                "kind: LabCloudMachineTemplate | kind: LabCloudMachine | refers to kind LabCloudMachine for machines",
                "^  infrastructureRef: | otherRef: | Cluster external in FILE has no spec.infrastructureRef"
            })
    void aManifestThatIsNoCluster_isAnError(String good, String bad, String said) throws IOException {
        Path cluster = folder.resolve("cluster.yaml");
        Files.writeString(cluster, Files.readString(cluster).replaceAll("(?m)" + good, bad));
        ProviderUnderTest provider = select(file(DESCRIPTION)).getFirst();

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(provider::clusterManifest)
                .withMessageContaining(said.replace("FILE", cluster.toString()));
    }

    private List<ProviderUnderTest> select(String property) {
        return new ProviderDescriptions(ProjectRoot.find(), ProjectRoot.find()).select(property);
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("provider.yaml"), text).toString();
    }
}
