package io.capoa.lab.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.Tool;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The script with a real kubectl and API server, whose objects hold secrets wherever they can be. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class BundleTest {

    private static final String NAMESPACE = "support-bundle";

    /** In the objects of planted.yaml and in the logs. */
    private static final String SECRET = "hunter2";

    @TempDir
    private static Path folder;

    private static KubernetesClient admin;
    private static Map<String, String> files;

    private record Ended(int code, String said) {}

    @BeforeAll
    static void collect(TestCluster cluster) throws Exception {
        admin = cluster.admin();
        for (String namespace : List.of(NAMESPACE, "capoa-bootstrap-system")) {
            admin.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
        for (HasMetadata object : planted()) {
            var written = admin.resource(object).create();
            if (object.getKind().equals("InfraEnv")) {
                object.getMetadata().setResourceVersion(written.getMetadata().getResourceVersion());
                admin.resource(object).updateStatus();
            }
        }
        List<String> messages = lines("forms.txt", "prose.txt");
        for (int i = 0; i < messages.size(); i++) {
            var unused = admin.resource(event("message-" + i, messages.get(i))).create();
        }
        Path archive = folder.resolve("bundle.tar.gz");
        Ended ended = run(cluster, "--namespace", NAMESPACE, "--out", archive.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        files = extract(archive);
    }

    @AfterAll
    static void removeNamespaces() {
        planted().stream()
                .filter(object -> object.getMetadata().getNamespace().equals("capoa-bootstrap-system"))
                .forEach(object -> admin.resource(object).delete());
        admin.namespaces().withName(NAMESPACE).delete();
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void noFileHasASecret(String secret) {
        assertThat(files).allSatisfy((name, text) -> assertThat(text).as(name).doesNotContain(secret));
    }

    /** Every line of forms.txt is a message of an Event, and in the log. */
    @Test
    void aSecretInASentence_isReplaced_andTheSentenceStays() throws IOException {
        assertThat(lines("forms.txt")).allMatch(line -> line.contains(SECRET));
        assertThat(lines("prose.txt")).allSatisfy(line -> {
            assertThat(file("events.txt")).contains(line);
            assertThat(files.get("managers/bootstrap/manager/log.txt")).contains(line);
        });
        assertThat(file("events.txt"))
                .contains("Login failed with password REDACTED", "--password REDACTED -I lanplus");
    }

    private static List<String> lines(String... names) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            lines.addAll(Files.readAllLines(resource(name)));
        }
        return lines;
    }

    private static Event event(String name, String message) {
        return new EventBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("cluster.x-k8s.io/v1beta2")
                .withKind("Machine")
                .withName("planted")
                .withNamespace(NAMESPACE)
                .endInvolvedObject()
                .withType("Warning")
                .withReason("PlantedMessage")
                .withMessage(message)
                .build();
    }

    /** Every kind of secret of planted.yaml and of the logs below, each in a shape of its own. */
    static Stream<String> secrets() throws IOException {
        return Stream.concat(
                Stream.of(SECRET),
                Files.readAllLines(resource("secrets.txt")).stream().filter(line -> !line.isBlank()));
    }

    @Test
    void everySecretIsPlanted() throws IOException {
        String planted = Files.readString(resource("planted.yaml")) + Files.readString(resource("manager.log"));

        assertThat(secrets()).allSatisfy(secret -> assertThat(planted).contains(secret));
    }

    @Test
    void whatABugReportNeeds_isThere() {
        assertThat(files.get("versions.yaml")).contains("serverVersion", "gitVersion");
        assertThat(files.get("definitions.txt"))
                .contains("openshiftassistedconfigs.bootstrap.cluster.x-k8s.io stored [v1beta1]");
        assertThat(file("openshiftassistedconfigs.bootstrap.cluster.x-k8s.io.yaml"))
                .contains(
                        "name: \"planted\"",
                        "pullSecretRef:",
                        "name: \"my-pull-secret\"",
                        "cpuArchitecture: \"x86_64\"");
        assertThat(file("baremetalhosts.metal3.io.yaml"))
                .contains("credentialsName: \"my-bmc\"", "redfish://REDACTED@192.0.2.1/redfish/v1");
        assertThat(file("infraenvs.agent-install.openshift.io.yaml"))
                .contains("isoDownloadURL: \"http://192.0.2.2/images/one?REDACTED\"");
        assertThat(file("conditions/infraenvs.agent-install.openshift.io.txt"))
                .contains("InfraEnv " + NAMESPACE + "/planted ImageCreated=False ImageCreationError");
        assertThat(file("events.txt")).contains("PlantedReason");
        assertThat(file("secrets.txt"))
                .contains(NAMESPACE + "/my-pull-secret kubernetes.io/dockerconfigjson")
                .contains(".dockerconfigjson");
        assertThat(file("configmaps.txt")).contains(NAMESPACE + "/planted", "install-config.yaml");
        assertThat(files.get("managers/bootstrap/objects.yaml"))
                .contains("image: \"registry.example.com/capoa/bootstrap@sha256:" + "0123456789abcdef".repeat(4) + "\"")
                .contains("- \"--health-probe-bind-address=:8081\"");
        assertThat(files.get("managers/bootstrap/manager/log.txt"))
                .contains("Leading: manager-1 holds lease", "from False (WaitingForAgent) to True (AgentRegistered)");
    }

    @Test
    void whatCouldNotBeRead_isListed() {
        assertThat(files.get("errors.txt")).contains("managers/bootstrap/resources.txt: ", "Metrics API");
    }

    @Test
    void objectsAreYaml_withTheFieldsOfTheApiServer() {
        Map<?, ?> list = (Map<?, ?>) Serialization.unmarshal(file("machines.cluster.x-k8s.io.yaml"), Object.class);
        Map<?, ?> machine = (Map<?, ?>) ((List<?>) list.get("items")).getFirst();
        Map<?, ?> metadata = (Map<?, ?>) machine.get("metadata");

        assertThat(metadata.get("name")).isEqualTo("planted");
        assertThat(metadata.get("annotations"))
                .isEqualTo(Map.of(
                        "cluster.x-k8s.io/cloned-from-name", "template",
                        "example.com/note", "REDACTED",
                        "kubectl.kubernetes.io/last-applied-configuration", "REDACTED"));
        assertThat(((Map<?, ?>) machine.get("spec")).get("clusterName")).isEqualTo("prod");
    }

    @Test
    void everyFileOfObjects_isYaml() {
        assertThat(files.keySet().stream().filter(name -> name.endsWith(".yaml")))
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(Serialization.<Object>unmarshal(files.get(name), Object.class))
                        .as(name)
                        .isInstanceOf(Map.class));
    }

    @Test
    void aWrongCommandLine_andAMissingApiServer_areExplained(TestCluster cluster) throws Exception {
        assertThat(run(cluster, "--every")).isEqualTo(new Ended(2, "--every is not an option of bundle; see --help."));
        assertThat(run(cluster, "--tail", "many")).isEqualTo(new Ended(2, "--tail takes a number, not \"many\"."));
        Path absent = folder.resolve("absent");
        assertThat(run(cluster, "--out", absent.resolve("b.tar.gz").toString()).code())
                .isEqualTo(1);
        Ended unanswered = run(cluster, "--kubeconfig", absent.toString());
        assertThat(unanswered.code()).isEqualTo(1);
        assertThat(unanswered.said()).startsWith("The API server does not answer: ");
    }

    private static String file(String ending) {
        String name = "objects/" + NAMESPACE + "/" + ending;
        assertThat(files).containsKey(name);
        return files.get(name);
    }

    private static List<HasMetadata> planted() {
        try (InputStream text = new ByteArrayInputStream(Files.readAllBytes(resource("planted.yaml")))) {
            return admin.load(text).items();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path resource(String name) {
        return ProjectRoot.find()
                .resolve("lab/app/src/test/resources/io/capoa/lab/support")
                .resolve(name);
    }

    /** Runs the script with a kubectl whose logs are those of the resource: the API server has no kubelet. */
    private static Ended run(TestCluster cluster, String... arguments) throws IOException, InterruptedException {
        Path kubectl = Files.writeString(folder.resolve("kubectl"), """
            #!/bin/sh
            case " $* " in
              *" logs "*) exec cat '%s' '%s' '%s' ;;
              *) exec '%s' "$@" ;;
            esac
            """.formatted(
                        resource("manager.log"),
                        resource("forms.txt"),
                        resource("prose.txt"),
                        Binaries.ofThisProcess().require(Tool.KUBECTL)));
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        List<String> command = new ArrayList<>(
                List.of(ProjectRoot.find().resolve("config/support/bundle").toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "KUBECTL",
                        kubectl.toString(),
                        "KUBECONFIG",
                        cluster.adminKubeconfig().toString()));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), said.strip());
    }

    private static Map<String, String> extract(Path archive) throws IOException, InterruptedException {
        Path target = Files.createDirectory(folder.resolve("extracted"));
        Process tar = new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", target.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        Map<String, String> found = new TreeMap<>();
        Path top = target.resolve("capoa-bundle");
        try (Stream<Path> paths = Files.walk(top)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                found.put(top.relativize(path).toString(), Files.readString(path));
            }
        }
        return found;
    }
}
