package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The variables of the components: each is documented in {@code docs/install.md}, and rendered. */
class ComponentVariablesTest {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z0-9_]+):=([^}]*)}");
    private static final Pattern NAME = Pattern.compile("`([A-Z0-9_]+)`");
    private static final Pattern EXAMPLE_VALUE = Pattern.compile("^([A-Z_]+): (.*)$", Pattern.MULTILINE);

    private static final String SAMPLE = "4797";

    /** Values of variables for which the sample alone has the wrong type. */
    private static final Map<String, String> TYPED = Map.of(
            "CAPOA_NODE_SELECTOR", "{\"sample\": \"4797\"}",
            "CAPOA_TOLERATIONS", "[{\"key\": \"4797\"}]",
            "CAPOA_IMAGE_PULL_SECRETS", "[{\"name\": \"4797\"}]");

    @Test
    void everyVariable_hasARowWithItsDefault_andEveryRowAVariable() {
        SortedMap<String, String> rows = new TreeMap<>();
        section()
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split(" \\| "))
                .forEach(cells -> NAME.matcher(cells[0]).results().forEach(name -> rows.put(name.group(1), cells[1])));

        assertThat(rows.keySet()).containsExactlyElementsOf(variables().keySet());
        variables().forEach((name, value) -> {
            if (value.matches("[a-zA-Z0-9-]+")) {
                assertThat(rows.get(name)).as(name).contains(value.equals("null") ? "none" : "`" + value + "`");
            }
        });
    }

    static Stream<String> names() {
        return variables().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aValue_isInTheObjectsOfAProviderThatHasTheVariable(String name) {
        String value = TYPED.getOrDefault(name, SAMPLE);

        for (String provider : List.of(DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE)) {
            assertThat(DistRelease.built().components(provider).toString()).doesNotContain(SAMPLE);
            assertThat(DistRelease.built()
                            .components(provider, Map.of(name, value))
                            .toString()
                            .contains(SAMPLE))
                    .as(provider)
                    .isEqualTo(of(provider).containsKey(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void withoutAValue_thePodIsAsInConfig(String provider) {
        GenericKubernetesResource deployment = deployment(provider, Map.of());

        assertThat(deployment.<Object>get("spec", "replicas")).isEqualTo(1);
        Map<String, Object> pod = deployment.get("spec", "template", "spec");
        assertThat(pod.get("nodeSelector")).isNull();
        assertThat(pod.get("imagePullSecrets")).isEqualTo(List.of());
        assertThat(pod.get("tolerations")).isEqualTo(List.of(Map.of("key", "node-role.kubernetes.io/control-plane")));
        assertThat(deployment.<Object>get("spec", "template", "spec", "containers", 0, "resources"))
                .isEqualTo(Map.of(
                        "requests", Map.of("cpu", "50m", "memory", "160Mi"),
                        "limits", Map.of("cpu", "1", "memory", "320Mi")));
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void theExample_isRenderedIntoTheDeployment(String provider) {
        GenericKubernetesResource deployment = deployment(provider, example());

        assertThat(deployment.<Object>get("spec", "replicas")).isEqualTo(2);
        Map<String, Object> pod = deployment.get("spec", "template", "spec");
        assertThat(pod.get("nodeSelector")).isEqualTo(Map.of("node-role.kubernetes.io/infra", ""));
        assertThat(pod.get("imagePullSecrets")).isEqualTo(List.of(Map.of("name", "registry")));
        assertThat(pod.get("tolerations"))
                .isEqualTo(List.of(Map.of("key", "node-role.kubernetes.io/infra", "operator", "Exists")));
        assertThat(deployment.<Object>get("spec", "template", "spec", "containers", 0, "resources"))
                .isEqualTo(Map.of(
                        "requests", Map.of("cpu", "200m", "memory", "512Mi"),
                        "limits", Map.of("cpu", "2", "memory", "1Gi")));
        assertThat(deployment.<List<String>>get("spec", "template", "spec", "containers", 0, "args"))
                .contains("--log-level=debug");
        assertThat(deployment.<List<Map<String, Object>>>get("spec", "template", "spec", "containers", 0, "env"))
                .contains(
                        Map.of("name", "HTTPS_PROXY", "value", "http://proxy.example.com:3128"),
                        Map.of("name", "NO_PROXY", "value", ".svc,.cluster.local,10.0.0.0/8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {DistRelease.BOOTSTRAP, DistRelease.CONTROL_PLANE})
    void olderVersions_areServedUnlessTheVariableSaysNo_andConvertedInAnyCase(String provider) {
        DistRelease release = DistRelease.built();
        List<DefinedVersion> versions = DefinedVersion.of(release.components(provider));
        assertThat(versions).allMatch(DefinedVersion::served).anyMatch(version -> !version.stored());

        List<DefinedVersion> without =
                DefinedVersion.of(release.components(provider, Map.of("CAPOA_SERVE_OLDER_VERSIONS", "false")));

        assertThat(without)
                .allMatch(version -> version.served() == version.stored())
                .extracting(DefinedVersion::name, DefinedVersion::conversion)
                .containsExactlyElementsOf(versions.stream()
                        .map(version -> tuple(version.name(), version.conversion()))
                        .toList());
    }

    private static GenericKubernetesResource deployment(String provider, Map<String, String> values) {
        return DistRelease.built().components(provider, values).stream()
                .filter(object -> object.getKind().equals("Deployment"))
                .findFirst()
                .orElseThrow();
    }

    /** clusterctl's configuration in the document, which has strings only. */
    static Map<String, String> example() {
        return EXAMPLE_VALUE
                .matcher(section())
                .results()
                .collect(Collectors.toMap(value -> value.group(1), value -> unquoted(value.group(2))));
    }

    private static String section() {
        try {
            String page = Files.readString(ProjectRoot.find().resolve("docs/install.md"));
            int start = page.indexOf("\n### Variables\n");
            return page.substring(start, page.indexOf("\n### ", start + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String unquoted(String scalar) {
        return scalar.replaceAll("^(['\"])(.*)\\1$", "$2");
    }

    private static SortedMap<String, String> variables() {
        SortedMap<String, String> both = new TreeMap<>(of(DistRelease.BOOTSTRAP));
        both.putAll(of(DistRelease.CONTROL_PLANE));
        return both;
    }

    /** Variables of a provider, with their defaults. */
    private static Map<String, String> of(String provider) {
        String file = (provider.equals(DistRelease.BOOTSTRAP) ? "bootstrap" : "control-plane") + "-components.yaml";
        return VARIABLE.matcher(DistRelease.built().file(provider, file))
                .results()
                .collect(Collectors.toMap(
                        name -> name.group(1), (MatchResult name) -> name.group(2), (one, same) -> one));
    }
}
