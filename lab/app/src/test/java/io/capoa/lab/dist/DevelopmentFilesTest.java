package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files for Cluster API's Tilt and for development containers fit the providers and the build. */
class DevelopmentFilesTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** Tilt installs what clusterctl does; its own builds are for Go, and it needs a label. */
    @Test
    void tiltInstallsTheComponentsOfBothProviders_andBuildsNoGoProgram() throws IOException {
        JsonNode providers = YAML.unmarshal(Files.readString(ROOT.resolve("tilt-provider.yaml")), JsonNode.class);

        assertThat(providers
                        .valueStream()
                        .map(provider -> provider.at("/config/kustomize_folder").asText()))
                .containsExactly("config/bootstrap/default", "config/controlplane/default")
                .allMatch(folder -> Files.isRegularFile(ROOT.resolve(folder).resolve("kustomization.yaml")));
        assertThat(providers).allSatisfy(provider -> {
            assertThat(provider.path("config").has("image")).isFalse();
            assertThat(provider.at("/config/label").asText()).isNotBlank();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"bootstrap", "controlplane"})
    void theTiltfile_buildsTheImageOfTheManifests_withTheEntryPointOfTheDockerfile(String provider) throws IOException {
        String tiltfile = Files.readString(ROOT.resolve("Tiltfile"));
        String image = "localhost/capoa/%s-provider".formatted(provider);

        assertThat(ROOT.resolve("config/%s/manager/deployment.yaml".formatted(provider)))
                .content()
                .contains(":=" + image + ":dev}");
        assertThat(tiltfile).contains("\"localhost/capoa/%s-provider\" % provider", '"' + provider + '"');
        String entryPoint =
                Files.readAllLines(ROOT.resolve("Dockerfile." + provider)).getLast();
        assertThat(entryPoint).startsWith("ENTRYPOINT [");
        assertThat(tiltfile).contains("entrypoint = " + entryPoint.substring("ENTRYPOINT ".length()) + ",");
    }

    @Test
    void theDevelopmentContainer_hasTheJdkAndTheGoOfTheBuild() throws IOException {
        JsonNode container =
                YAML.unmarshal(Files.readString(ROOT.resolve(".devcontainer/devcontainer.json")), JsonNode.class);
        Map<String, String> versions = Map.of(
                "java",
                        container
                                .at("/features/ghcr.io~1devcontainers~1features~1java:1/version")
                                .asText(),
                "go",
                        container
                                .at("/features/ghcr.io~1devcontainers~1features~1go:1/version")
                                .asText());

        assertThat(Files.readString(ROOT.resolve("pom.xml")))
                .contains("<maven.compiler.release>" + versions.get("java") + "<");
        assertThat(Files.readString(ROOT.resolve("lab/binaries/kubernetes/go.mod")))
                .contains("\ngo " + versions.get("go") + ".");
    }
}
