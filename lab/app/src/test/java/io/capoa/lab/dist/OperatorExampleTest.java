package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The objects for the Cluster API operator in {@code docs/install.md} fit a release. */
class OperatorExampleTest {

    private static final String VERSION = DistRelease.VERSION;
    private static final Pattern EXAMPLE =
            Pattern.compile("```yaml\n(apiVersion: operator\\.cluster\\.x-k8s\\.io/.*?)```", Pattern.DOTALL);

    /** Of all data of a ConfigMap. */
    private static final int LARGEST_CONFIG_MAP = 1 << 20;

    private static DistRelease release;
    private static String page;
    private static List<GenericKubernetesResource> example;

    @BeforeAll
    static void build() throws IOException {
        release = DistRelease.built();
        page = Files.readString(ProjectRoot.find().resolve("docs/install.md"));
        var yaml = EXAMPLE.matcher(page);
        assertThat(yaml.find()).isTrue();
        example = DistRelease.objects(yaml.group(1));
    }

    @Test
    void everyKindOfProviderIsThere() {
        assertThat(example)
                .extracting(GenericKubernetesResource::getKind)
                .containsExactly("CoreProvider", "InfrastructureProvider", "BootstrapProvider", "ControlPlaneProvider");
    }

    /** The operator compares the name with the label of the components, and installs them in its own namespace. */
    @ParameterizedTest
    @CsvSource({"BootstrapProvider,bootstrap", "ControlPlaneProvider,control-plane"})
    void aProviderHasNameNamespaceAndVersionOfItsComponents(String kind, String type) {
        GenericKubernetesResource provider = example.stream()
                .filter(object -> object.getKind().equals(kind))
                .findFirst()
                .orElseThrow();
        String name = type + "-" + provider.getMetadata().getName();
        GenericKubernetesResource deployment = release.components(name).stream()
                .filter(object -> object.getKind().equals("Deployment"))
                .findFirst()
                .orElseThrow();

        assertThat(deployment.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/provider", name);
        assertThat(provider.getMetadata().getNamespace())
                .isEqualTo(deployment.getMetadata().getNamespace());
        assertThat(provider.<String>get("spec", "version")).isEqualTo(VERSION);
        assertThat(page).contains("version=" + VERSION + "\n");
    }

    @ParameterizedTest
    @CsvSource({"BootstrapProvider", "ControlPlaneProvider"})
    void theSelectorIsTheLabelThatTheCommandsSet(String kind) {
        GenericKubernetesResource provider = example.stream()
                .filter(object -> object.getKind().equals(kind))
                .findFirst()
                .orElseThrow();
        String label = provider.get("spec", "fetchConfig", "selector", "matchLabels", "provider-components");

        assertThat(page).contains("kubectl label configmap $version -n $namespace provider-components=" + label + "\n");
    }

    /** The file of a release, which takes the components from the release page. */
    @Test
    void theFileOfARelease_hasTheSameProviders_inNamespacesThatItBrings(@TempDir Path folder) throws IOException {
        DistRelease withPage = DistRelease.withPage(folder, "v0.3.0", "https://github.com/example/capoa/");
        List<GenericKubernetesResource> objects =
                DistRelease.objects(Files.readString(withPage.folder().resolve("operator.yaml")));

        List<GenericKubernetesResource> providers = objects.stream()
                .filter(object -> object.getKind().endsWith("Provider"))
                .toList();
        assertThat(providers)
                .extracting(
                        GenericKubernetesResource::getApiVersion,
                        GenericKubernetesResource::getKind,
                        object -> object.getMetadata().getName(),
                        object -> object.getMetadata().getNamespace(),
                        object -> object.<Object>get("spec"))
                .containsExactlyElementsOf(example.stream()
                        .filter(object -> object.getMetadata().getName().equals("openshift-assisted"))
                        .map(object -> tuple(
                                object.getApiVersion(),
                                object.getKind(),
                                "openshift-assisted",
                                object.getMetadata().getNamespace(),
                                Map.of(
                                        "version",
                                        "v0.3.0",
                                        "fetchConfig",
                                        Map.of(
                                                "url",
                                                "https://github.com/example/capoa/releases/v0.3.0/"
                                                        + (object.getKind().startsWith("Boot")
                                                                ? "bootstrap-components.yaml"
                                                                : "control-plane-components.yaml")))))
                        .toList());
        assertThat(objects)
                .filteredOn(object -> object.getKind().equals("Namespace"))
                .extracting(object -> object.getMetadata().getName())
                .containsExactlyElementsOf(providers.stream()
                        .map(object -> object.getMetadata().getNamespace())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"bootstrap", "control-plane"})
    void compressedComponentsFitIntoAConfigMap(String type) throws IOException {
        String components = release.file(type + "-openshift-assisted", type + "-components.yaml");
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(components.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(compressed.size()).isLessThan(LARGEST_CONFIG_MAP / 2);
    }
}
