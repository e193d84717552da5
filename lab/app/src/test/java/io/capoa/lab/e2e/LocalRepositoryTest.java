package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.CertManagerDefinitions;
import io.capoa.lab.clusterctl.Clusterctl;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.ReleaseBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cluster API's programs and files from the pinned modules. */
@Tag("e2e")
@NeedsGo
class LocalRepositoryTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final Binaries BINARIES = Binaries.ofThisProcess();

    @TempDir
    private Path folder;

    @Test
    void clusterctl_reportsThePinnedVersion() throws IOException {
        assertThat(clusterctl()
                        .run("version", "--output=short")
                        .orThrow()
                        .text()
                        .strip())
                .isEqualTo(GoModule.clusterApi(ROOT).version())
                .isEqualTo("v1.14.2");
    }

    @Test
    void core_isARelease_withTheImageOfItsVersion_andItsFeatureGatesOn() throws IOException {
        String components = clusterctl()
                .run("generate", "provider", "--core=cluster-api")
                .orThrow()
                .text();

        assertThat(components)
                .contains("image: registry.k8s.io/cluster-api/cluster-api-controller:v1.14.2")
                .contains("ClusterTopology=true", "RuntimeSDK=true", "InPlaceUpdates=true")
                .contains("name: machinehealthchecks.cluster.x-k8s.io")
                .doesNotContain("${");
    }

    @Test
    void certManagersDefinitions_areThere() {
        assertThat(CertManagerDefinitions.folder(ROOT).resolve("cert-manager.io_certificates.yaml"))
                .content()
                .contains("kind: CustomResourceDefinition");
    }

    @Test
    void whenOurProvidersHaveNoRelease_saysHowToMakeOne() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> LocalRepository.assemble(folder, folder, ROOT, BINARIES, Map.of()))
                .withMessageContaining("bootstrap-openshift-assisted")
                .withMessageContaining("config/release");
    }

    @Test
    void theSettingsOfARelease_tellClusterctlWhereItIs() {
        var unused = ReleaseBuild.manifests(
                ROOT, BINARIES, "v0.2.0", folder, "--source", "https://github.com/example/capoa");
        LocalRepository settings = new LocalRepository(folder, folder);

        assertThat(Clusterctl.of(BINARIES, settings, folder.resolve("kubeconfig"))
                        .run("config", "repositories")
                        .orThrow()
                        .text()
                        .lines()
                        .map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "openshift-assisted BootstrapProvider https://github.com/example/capoa/releases/v0.2.0/"
                                + " bootstrap-components.yaml",
                        "openshift-assisted ControlPlaneProvider https://github.com/example/capoa/releases/v0.2.0/"
                                + " control-plane-components.yaml");
    }

    @Test
    void theValuesOfTheExample_inItsConfiguration_areRendered_withImagesOfAnotherRegistry() throws IOException {
        Path releases = ReleaseBuild.manifests(ROOT, BINARIES, "v0.2.0", folder.resolve("dist"));
        LocalRepository repository = LocalRepository.assemble(folder, releases, ROOT, BINARIES, Map.of());
        String page = Files.readString(ROOT.resolve("docs/install.md"));
        String example = page.substring(page.indexOf("\nCAPOA_REPLICAS: "));
        Files.writeString(
                repository.configuration(), example.substring(0, example.indexOf("```")), StandardOpenOption.APPEND);
        Clusterctl clusterctl = Clusterctl.of(BINARIES, repository, folder.resolve("kubeconfig"));

        for (String provider : List.of("bootstrap", "control-plane")) {
            assertThat(clusterctl
                            .run("generate", "provider", "--" + provider + "=openshift-assisted")
                            .orThrow()
                            .text())
                    .contains(
                            "image: registry.example.com/mirror/%s-provider:v0.2.0"
                                    .formatted(provider.replace("-", "")),
                            "  replicas: 2\n",
                            "      nodeSelector:\n        node-role.kubernetes.io/infra: \"\"\n",
                            "      tolerations:\n      - key: node-role.kubernetes.io/infra\n        operator: Exists\n",
                            "      imagePullSecrets:\n      - name: registry\n",
                            "            cpu: \"2\"\n            memory: 1Gi\n",
                            "            cpu: 200m\n            memory: 512Mi\n",
                            "- --log-level=debug\n",
                            "value: http://proxy.example.com:3128\n");
        }
    }

    private Clusterctl clusterctl() throws IOException {
        Files.createDirectories(folder.resolve("bootstrap-openshift-assisted"));
        Files.createDirectories(folder.resolve("control-plane-openshift-assisted"));
        LocalRepository repository = LocalRepository.assemble(folder, folder, ROOT, BINARIES, Map.of());
        return Clusterctl.of(BINARIES, repository, folder.resolve("kubeconfig"));
    }
}
