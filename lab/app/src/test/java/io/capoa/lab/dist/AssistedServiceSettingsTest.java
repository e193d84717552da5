package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Settings of assisted-service in {@code docs/quick-start.md} are settings that the release of the guide reads. */
class AssistedServiceSettingsTest {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private static final Pattern HERE_DOCUMENT =
            Pattern.compile("<<EOF\\n(.*?)^EOF$", Pattern.MULTILINE | Pattern.DOTALL);

    /** A file or a folder at a release. */
    private static final Pattern FETCHED = Pattern.compile("https://(?:raw\\.githubusercontent|github)\\.com/"
            + "openshift/assisted-service/(?:(v[0-9.]+)/)?([^\\s?)]+)(?:\\?ref=(v[0-9.]+))?");

    private static final Pattern DEFAULT_RELEASE = Pattern.compile("OPENSHIFT_VERSION:=([0-9]+\\.[0-9]+)\\.");

    /** Facts about a release. */
    private final Map<?, ?> known =
            YAML.unmarshal(Objects.requireNonNull(getClass().getResourceAsStream("/assisted-service.yaml")), Map.class);

    @Test
    void everySettingOfTheGuide_isReadByItsRelease() throws IOException {
        String guide = read("docs/quick-start.md");

        assertThat(objects(guide))
                .extracting(GenericKubernetesResource::getKind)
                .contains("AgentServiceConfig");
        assertThat(unread(guide)).isEmpty();
    }

    @Test
    void everyFileOfTheGuide_isOneOfThatRelease() throws IOException {
        List<String> fetched = new ArrayList<>();
        for (Matcher found = FETCHED.matcher(read("docs/quick-start.md")); found.find(); ) {
            String release = found.group(1) == null ? found.group(3) : found.group(1);
            assertThat(release).as(found.group()).isEqualTo(known.get("release"));
            fetched.add(found.group(2));
        }

        assertThat(fetched).containsExactlyInAnyOrderElementsOf(list("files"));
    }

    @Test
    void theReleaseThatTemplatesInstall_hasAnImageInThatRelease() throws IOException {
        Matcher release = DEFAULT_RELEASE.matcher(read("config/templates/base/control-plane.yaml"));

        assertThat(release.find()).isTrue();
        assertThat(list("osImages")).contains(release.group(1));
    }

    @Test
    void whatTheReleaseDoesNotRead_isNamed() {
        assertThat(unread("""
                cat > file.yaml <<EOF
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: override
                data:
                  INSTALL_TO_EXISTING_ROOT: "true"
                  LOG_LEVEL: debug
                ---
                apiVersion: agent-install.openshift.io/v1beta1
                kind: AgentServiceConfig
                metadata:
                  annotations:
                    agent-install.openshift.io/enable-image: "false"
                spec:
                  ingress: {className: nginx, hostName: a.example}
                  databaseStorage: {resources: {requests: {storage: 10Gi}}}
                EOF
                """))
                .containsExactlyInAnyOrder(
                        "variable INSTALL_TO_EXISTING_ROOT",
                        "annotation agent-install.openshift.io/enable-image",
                        "field ingress.hostName");
    }

    /** Settings that the release does not read: of AgentServiceConfigs, and of the ConfigMaps beside them. */
    private List<String> unread(String document) {
        List<String> unread = new ArrayList<>();
        for (GenericKubernetesResource object : objects(document)) {
            if (object.getKind().equals("AgentServiceConfig")) {
                Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.<String, String>of())
                        .keySet()
                        .stream()
                        .filter(annotation -> !list("annotations").contains(annotation))
                        .forEach(annotation -> unread.add("annotation " + annotation));
                leaves("", Fields.map(object, "spec")).stream()
                        .filter(field -> list("fields").stream()
                                .noneMatch(
                                        read -> (field + ".").startsWith(read + ".") || read.startsWith(field + ".")))
                        .forEach(field -> unread.add("field " + field));
            } else if (object.getKind().equals("ConfigMap")) {
                Fields.map(object, "data").keySet().stream()
                        .filter(variable -> !list("variables").contains(variable))
                        .forEach(variable -> unread.add("variable " + variable));
            }
        }
        return unread;
    }

    private static List<String> leaves(String prefix, Map<?, ?> fields) {
        List<String> leaves = new ArrayList<>();
        fields.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                leaves.addAll(leaves(prefix + name + ".", inner));
            } else {
                leaves.add(prefix + name);
            }
        });
        return leaves;
    }

    /** Objects of the here-documents with an AgentServiceConfig. */
    private static List<GenericKubernetesResource> objects(String document) {
        return HERE_DOCUMENT
                .matcher(document)
                .results()
                .map(found -> found.group(1))
                .filter(text -> text.contains("kind: AgentServiceConfig"))
                .flatMap(text -> Pattern.compile("^---$", Pattern.MULTILINE).splitAsStream(text))
                .map(text -> YAML.unmarshal(text, GenericKubernetesResource.class))
                .toList();
    }

    private List<String> list(String name) {
        return ((List<?>) Objects.requireNonNull(known.get(name), name))
                .stream().map(String::valueOf).toList();
    }

    private static String read(String file) throws IOException {
        return Files.readString(ProjectRoot.find().resolve(file));
    }
}
