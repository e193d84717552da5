package io.capoa.lab.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.plan.PlanCommand;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.clusterctl.Output;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code kubectl capoa} with a real kubectl and API server, whose objects are in the states that people ask about. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class PluginTest {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final TestCluster server;
    private final KubernetesClient admin;
    private final String namespace;

    @TempDir
    private Path folder;

    PluginTest(TestCluster cluster) {
        server = cluster;
        admin = cluster.admin();
        namespace = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("plugin-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterEach
    void delete() {
        admin.namespaces().withName(namespace).delete();
    }

    @Test
    void whyOfAFailedInstallation_endsWithTheHostThatFailed_andHowToTryAgain() throws IOException {
        write("failed.yaml");

        String text = capoa("why", "prod", "-n", namespace).orThrow().text();

        assertThat(Files.readString(ProjectRoot.find().resolve("docs/plugin.md")))
                .contains("```\n" + text.replace(namespace, "default") + "```\n");
        assertThat(text.lines().toList().reversed())
                .startsWith(
                        "Next: To try again, correct the cause and run: kubectl annotate oacp -n %s prod-control-plane %s=$(date +%%s) --overwrite"
                                .formatted(namespace, Annotations.RETRY_INSTALL),
                        "OpenshiftAssistedConfig %s/prod-1: InstallationFailed: Host host-1 failed at stage Writing image to disk"
                                .formatted(namespace));
        // The other hosts wait for what has failed.
        assertThat(text).doesNotContain("ClusterInstallationFailed");
    }

    @Test
    void whyOfAHeldInstallation_endsWithTheHold() throws IOException {
        write("held.yaml");

        assertThat(capoa("why", "prod", "--namespace=" + namespace)
                        .orThrow()
                        .text()
                        .lines()
                        .toList()
                        .reversed())
                .startsWith(
                        "Next: set it to false to start the installation: run kubectl capoa resume prod -n "
                                + namespace,
                        "OpenshiftAssistedControlPlane %s/prod-control-plane: InstallationOnHold: spec.config.holdInstallation is true: set it to false to start the installation"
                                .formatted(namespace));
    }

    @Test
    void whyOfAClusterThatWaits_leadsToItsHost() throws IOException {
        write("waiting.yaml");

        List<String> lines =
                capoa("why", "prod", "-n", namespace).orThrow().text().lines().toList();

        assertThat(lines.getFirst())
                .isEqualTo("Cluster %s/prod: NotAvailable: * ControlPlaneAvailable: Control plane is not available"
                        .formatted(namespace));
        // A terminal does not get the escape of the message.
        assertThat(lines.reversed())
                .startsWith(
                        "Next: Free or add one that it selects, see kubectl get baremetalhosts",
                        "BareMetalHost %s/host-2: registration error: the BMC refuses \\x1b[31m the password"
                                .formatted(namespace),
                        "OpenshiftAssistedConfig %s/prod-2: NoHostAvailable: Metal3Machine prod-2 has no BareMetalHost that is ready: registration error. Free or add one that it selects, see kubectl get baremetalhosts"
                                .formatted(namespace),
                        "Metal3Machine %s/prod-2: NotReady".formatted(namespace),
                        "Machine %s/prod-2: NotReady: * BootstrapConfigReady: waiting".formatted(namespace));
    }

    @Test
    void whyOfAHealthyCluster_saysSo() throws IOException {
        write("healthy.yaml");

        assertThat(capoa("why", "prod", "-n", namespace).orThrow().text())
                .isEqualTo("Cluster %s/prod: Available: all is as it should be\n".formatted(namespace));
    }

    @Test
    void ofManyFailedMachines_threeAreShown_andTheCommandForTheRest() throws IOException {
        write("failed.yaml");
        for (int i = 3; i < 6; i++) {
            write(resource("failed.yaml")
                    .replaceAll("(?s)\\A.*?(?=---\n[^-]*kind: Machine\n.*name: prod-1,)", "")
                    .replaceAll("(?s)(?<=\n)---\n[^-]*kind: Machine\n[^-]*name: prod-2,.*", "")
                    .replace("prod-1", "prod-" + i)
                    .replace("host-1", "host-" + i));
        }

        String text = capoa("why", "prod", "-n", namespace).orThrow().text();

        assertThat(text.lines())
                .filteredOn(line -> line.contains(": InstallationFailed: "))
                .hasSize(3);
        assertThat(text)
                .contains("\n1 more Machines: kubectl get machines -n %s -l cluster.x-k8s.io/cluster-name=prod\n"
                        .formatted(namespace));
    }

    @Test
    void retry_writesTheDocumentedAnnotation_andOnlyAfterAFailure() throws IOException {
        write("waiting.yaml");
        Output refused = capoa("retry", "prod", "-n", namespace);
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.all())
                .contains(
                        "The installation of %s/prod-control-plane has not failed".formatted(namespace),
                        "InstallSucceeding is True (WaitingForHosts)");

        write("failed.yaml");
        assertThat(capoa("retry", "prod", "-n", namespace, "--dry-run")
                        .orThrow()
                        .text())
                .contains("these Machines are deleted", ": prod-0 prod-1 prod-2\n", "(server dry run)");
        assertThat(annotations()).isEmpty();

        long before = System.currentTimeMillis() / 1000;
        capoa("retry", "prod", "-n", namespace).orThrow();

        assertThat(annotations()).containsOnlyKeys(Annotations.RETRY_INSTALL);
        assertThat(Long.parseLong(annotations().get(Annotations.RETRY_INSTALL)))
                .isBetween(before, System.currentTimeMillis() / 1000);
        assertThat(Files.readString(ProjectRoot.find().resolve("docs/annotations.md")))
                .contains(" " + Annotations.RETRY_INSTALL + "=$(date +%s) --overwrite\n");
    }

    @Test
    void resume_endsPausesAndTheHold_andLeavesTheRest() throws IOException {
        write("held.yaml");
        pause();

        assertThat(capoa("resume", "prod", "-n", namespace, "--dry-run=server")
                        .orThrow()
                        .text())
                .contains("is on hold", "is paused (annotation ", "is paused (spec.paused)", "(server dry run)");
        assertThat(annotations()).containsKey(Annotations.PAUSED);

        capoa("resume", "prod", "-n", namespace).orThrow();

        assertThat(annotations()).isEqualTo(Map.of("mine", "kept"));
        ClusterConfig config = controlPlane().get().getSpec().config();
        assertThat(config.holdInstallation()).isFalse();
        assertThat(config.baseDomain()).isEqualTo("lab.example");
        assertThat(config("prod-0").get().getMetadata().getAnnotations()).isNullOrEmpty();
        assertThat(ClusterView.of(cluster().get()).isPaused()).isFalse();
        assertThat(capoa("resume", "prod", "-n", namespace).orThrow().text())
                .isEqualTo("Nothing of Cluster %1$s/prod is paused or on hold; see kubectl capoa why prod -n %1$s.\n"
                        .formatted(namespace));
    }

    private void pause() {
        controlPlane().edit(object -> {
            object.getMetadata().setAnnotations(new HashMap<>(Map.of(Annotations.PAUSED, "", "mine", "kept")));
            return object;
        });
        config("prod-0").edit(object -> {
            object.getMetadata().setAnnotations(new HashMap<>(Map.of(Annotations.PAUSED, "")));
            return object;
        });
        cluster().patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"paused\":true}}");
    }

    /** With the real command, as the jar of the release would be: a jar that leads to this process's class path. */
    @Test
    void plan_ofFiles_andOfANamespace() throws IOException {
        Path jar = planJar();
        Path file = Files.writeString(folder.resolve("a.yaml"), resource("held.yaml"));

        Output ofFile = capoa(Map.of("CAPOA_PLAN_JAR", jar.toString()), "plan", file.toString());
        // Among files alone, the template may be elsewhere.
        assertThat(ofFile.text()).contains("Cluster default/prod", "WARNING reference-missing");

        write("held.yaml");
        Output ofNamespace = capoa(Map.of("CAPOA_PLAN_JAR", jar.toString()), "plan", "-n", namespace, "-o", "json");
        assertThat(ofNamespace.code()).as(ofNamespace.all()).isEqualTo(1);
        assertThat(ofNamespace.text())
                .contains("\"namespace\" : \"%s\"".formatted(namespace))
                .containsPattern("\"reference-missing\",\\s+\"severity\" : \"BLOCKING\"");

        assertThat(capoa(Map.of("CAPOA_PLAN_JAR", jar.toString()), "plan", "--help")
                        .orThrow()
                        .text())
                .contains("Usage: plan");
    }

    @Test
    void planWithoutItsJarOrJava_saysWhatIsMissing() {
        Output noJar = capoa("plan", "cluster.yaml");
        assertThat(noJar.code()).isEqualTo(2);
        assertThat(noJar.all()).contains("There is no ", "/plan.jar: download plan.jar of this release");

        Output noJava = capoa(Map.of("JAVA_HOME", folder.toString()), "plan", "cluster.yaml");
        assertThat(noJava.code()).isEqualTo(2);
        assertThat(noJava.all()).contains("plan needs Java 25 or later, and " + folder + "/bin/java is not there");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | kubectl capoa takes plan, why, retry or resume | ",
                "2 | repair is not a command of kubectl capoa | repair",
                "2 | kubectl capoa why takes the name of a Cluster | why",
                "2 | kubectl capoa retry takes one cluster, not one and two | retry one two",
                "2 | --force is not an option of kubectl capoa resume | resume prod --force",
                "2 | --namespace takes a value | why prod --namespace",
                "1 | clusters.cluster.x-k8s.io \"absent\" not found | why absent",
                "0 | kubectl capoa resume CLUSTER | --help"
            })
    void wrongCommandLines_areExplained(int code, String message, @Nullable String arguments) {
        Output output = capoa(arguments == null ? new String[0] : arguments.split(" "));

        assertThat(output.all()).contains(message);
        assertThat(output.code()).isEqualTo(code);
    }

    private Output capoa(String... arguments) {
        return capoa(Map.of(), arguments);
    }

    private Output capoa(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProjectRoot.find().resolve("config/plugin/kubectl-capoa").toString()));
        command.addAll(Arrays.asList(arguments));
        Map<String, String> all = new HashMap<>(Map.of(
                "KUBECTL", Binaries.ofThisProcess().require(Tool.KUBECTL).toString(),
                "KUBECONFIG", server.adminKubeconfig().toString(),
                "JAVA_HOME", System.getProperty("java.home")));
        all.putAll(environment);
        return Output.of(command, all, LIMIT);
    }

    private Path planJar() throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, PlanCommand.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Path jar = folder.resolve("plan.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    /** Creates the objects of a resource, or changes them to those. */
    private void write(String resourceOrYaml) throws IOException {
        String yaml = resourceOrYaml.contains("\n") ? resourceOrYaml : resource(resourceOrYaml);
        for (GenericKubernetesResource object : ManifestFiles.parse(yaml, "plugin")) {
            Object status = object.getAdditionalProperties().remove("status");
            GenericKubernetesResource written =
                    admin.resource(object).inNamespace(namespace).serverSideApply();
            written.setAdditionalProperty("status", status);
            var unused = admin.resource(written).updateStatus();
        }
    }

    private String resource(String name) throws IOException {
        return Files.readString(ProjectRoot.find()
                        .resolve("lab/app/src/test/resources/io/capoa/lab/support/plugin")
                        .resolve(name))
                .replace("NAMESPACE", namespace);
    }

    private Resource<OpenshiftAssistedControlPlane> controlPlane() {
        return admin.resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("prod-control-plane");
    }

    private Resource<OpenshiftAssistedConfig> config(String name) {
        return admin.resources(OpenshiftAssistedConfig.class)
                .inNamespace(namespace)
                .withName(name);
    }

    private Resource<Cluster> cluster() {
        return admin.resources(Cluster.class).inNamespace(namespace).withName("prod");
    }

    private Map<String, String> annotations() {
        return Objects.requireNonNullElse(controlPlane().get().getMetadata().getAnnotations(), Map.of());
    }
}
