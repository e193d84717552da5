package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.certmanager.CertManager;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.GoModule;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.ReleaseBuild;
import io.capoa.lab.manager.ManagerChild;
import io.capoa.lab.manager.VersionedDefinitions;
import io.capoa.lab.pods.LocalNode;
import io.capoa.lab.pods.Programs;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The commands of {@code docs/migrating.md}, on a management cluster with what the Go provider publishes, and the way back.
 * The managers of the Go provider are {@link GoManagerStandIn stand-ins}. It is the longest
 * suite and so one of those of the whole lab, which an order lets begin early.
 */
@Tag("full")
@Tag("whole")
@Order(4)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(ManagerChild.BOTH_PROVIDERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MigrationTest {

    private static final Path ROOT = ProjectRoot.find();
    private static final Binaries BINARIES = Binaries.ofThisProcess();
    private static final String RELEASE = "v0.2.0";
    private static final String CLUSTERCTL = "clusterctl upgrade apply";
    /** Far longer than a healthy cert-manager takes, and many rounds of {@link Client}. */
    private static final Duration INJECTING = Duration.ofSeconds(3);

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** Kinds of the providers' components. */
    private static final String COMPONENTS =
            "namespaces,serviceaccounts,services,deployments,roles,rolebindings,clusterroles,"
                    + "clusterrolebindings,validatingwebhookconfigurations,networkpolicies,poddisruptionbudgets,"
                    + "customresourcedefinitions,certificates,issuers";

    /** How the Go provider was installed: both ways of kubectl beside each other, which leave other field managers. */
    private enum Way {
        APPLY("""
                kubectl apply --server-side -f go/bootstrap-components.yaml
                kubectl apply -f go/controlplane-components.yaml
                """.strip()),
        CLUSTERCTL("clusterctl init --config theirs/clusterctl.yaml --core cluster-api"
                + " --bootstrap openshift-assisted:v0.1.9 --control-plane openshift-assisted:v0.1.9");

        private final String command;

        Way(String command) {
            this.command = command;
        }
    }

    @TempDir
    private static Path home;

    private final LocalCluster cluster = PreparedClusters.start();
    private final KubernetesClient admin = cluster.admin();
    private final List<AutoCloseable> started = new ArrayList<>();
    private final List<String> document;
    private UserShell shell;

    MigrationTest() throws IOException {
        document = DocumentCommands.blocks(
                Files.readString(ROOT.resolve("docs/migrating.md")).replaceAll("(?m)^   ", ""));
    }

    @BeforeAll
    void aManagementCluster() throws Exception {
        boolean clusterctl = GoModule.obstacle().isEmpty();
        shell = new UserShell(
                home, BINARIES, cluster, clusterctl ? List.of(Tool.KUBECTL, Tool.CLUSTERCTL) : List.of(Tool.KUBECTL));
        Path release = ReleaseBuild.manifests(ROOT, BINARIES, RELEASE, home.resolve("dist"));
        for (Path file : files(release)) {
            Files.copy(
                    file,
                    home.resolve(
                            file.getFileName().toString() + (file.endsWith("metadata.yaml") ? file.hashCode() : "")));
        }
        Files.createDirectories(home.resolve("go"));
        for (String provider : List.of("bootstrap", "controlplane")) {
            Files.writeString(home.resolve("go/" + provider + "-components.yaml"), goProvider(provider));
        }
        if (clusterctl) {
            settings("theirs", repository("go-repository", "v0.1.9"));
            settings("ours", release);
        }
        new CustomResourceDefinitions(admin)
                .remove(VersionedDefinitions.released().stream()
                        .map(own -> own.getMetadata().getName())
                        .toList());
        shell.run("""
                kubectl get clusterroles -o name | grep /capoa- | xargs kubectl delete
                kubectl delete roles --all -n capoa-bootstrap-system
                kubectl delete roles --all -n capoa-controlplane-system
                """);
        started.add(CertManager.start(cluster, INJECTING));
        started.add(LocalNode.of(cluster)
                .programs(new Programs(List.of(
                        Provider.BOOTSTRAP.program(ROOT),
                        Provider.CONTROL_PLANE.program(ROOT),
                        GoManagerStandIn.program("bootstrap"),
                        GoManagerStandIn.program("controlplane"))))
                .folder(home.resolve("node"))
                .onRestart(System.err::println)
                .start());
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable each : started.reversed()) {
            each.close();
        }
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theCommandsOfTheDocument_leadToThisRelease_andBack_andNothingIsUnservedMeanwhile(Way way) throws Exception {
        assumeTrue(
                way != Way.CLUSTERCTL || GoModule.obstacle().isEmpty(),
                () -> "clusterctl cannot be built: " + GoModule.obstacle().orElse(""));
        shell.run(way.command);
        for (Provider provider : Provider.values()) {
            shell.run("kubectl rollout status -n %s deployment/%s --timeout=2m"
                    .formatted(provider.namespace(), provider.deployment()));
        }
        awaitTrust();
        String namespace = "migrated-" + way.name().toLowerCase(Locale.ROOT);
        Files.writeString(home.resolve("objects.yaml"), OBJECTS);
        shell.run("kubectl create namespace %1$s\nkubectl create -n %1$s -f objects.yaml".formatted(namespace));
        String components = components();
        Map<String, Object> before = specs(namespace, "v1alpha2", "v1alpha3");

        List<String> forward = document.stream()
                .takeWhile(block -> !block.contains("--back"))
                .filter(block -> !block.startsWith(CLUSTERCTL) && !block.contains("NAME"))
                .toList();
        assertThat(forward).hasSize(5);
        assertServedMeanwhile(namespace, () -> forward.forEach(shell::run));
        assertThat(deployment(Provider.BOOTSTRAP)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers())
                .singleElement()
                .satisfies(container -> {
                    assertThat(container.getCommand()).isEmpty();
                    assertThat(container.getEnv())
                            .noneMatch(variable -> variable.getName().equals("NAMESPACE"));
                    assertThat(container.getVolumeMounts())
                            .extracting(mount -> mount.getName())
                            .containsExactlyInAnyOrder("tmp", "webhook-certs");
                });
        assertThat(webhooks()).isNotEmpty().noneMatch(name -> name.startsWith("v1alpha"));
        assertThat(specs(namespace, "v1alpha2", "v1alpha3")).isEqualTo(before);
        assertThat(specs(namespace, "v1beta1", "v1beta1")).hasSize(before.size());
        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(
                                shell.run(only("storedVersions")).text().lines())
                        .containsExactly("[\"v1beta1\"]", "[\"v1beta1\"]", "[\"v1beta1\"]"));
        if (way == Way.CLUSTERCTL) {
            shell.run(only(CLUSTERCTL).strip() + " --config ours/clusterctl.yaml");
            assertThat(shell.run("clusterctl upgrade plan --config ours/clusterctl.yaml")
                            .text())
                    .contains("Already up to date");
            assertThat(specs(namespace, "v1alpha2", "v1alpha3")).isEqualTo(before);
        }

        assertServedMeanwhile(namespace, () -> shell.run(only("--back")));
        assertThat(components()).isEqualTo(components);
        assertThat(webhooks()).hasSize(2).allMatch(name -> name.startsWith("v1alpha"));
        // With it there, an apply of the same file would take the authority away.
        assertThat(lastApplied()).isNotEmpty().noneMatch(text -> text.contains("caBundle"));
        assertThat(specs(namespace, "v1alpha2", "v1alpha3")).isEqualTo(before);
        // No manager of the Go provider runs that would remove the finalizers.
        shell.run("""
                kubectl get openshiftassistedconfigs,openshiftassistedcontrolplanes -n %1$s -o name \
                  | xargs -I OBJECT kubectl patch OBJECT -n %1$s --type=merge -p '{"metadata":{"finalizers":null}}'
                kubectl delete namespace %1$s --wait=false
                kubectl delete openshiftassistedconfigs,openshiftassistedconfigtemplates,openshiftassistedcontrolplanes \
                  -n %1$s --all
                kubectl delete --ignore-not-found -f go/bootstrap-components.yaml -f go/controlplane-components.yaml
                """.formatted(namespace));
    }

    /** The only block of the document with this text. */
    private String only(String text) {
        List<String> blocks =
                document.stream().filter(block -> block.contains(text)).toList();
        assertThat(blocks).as(text).hasSize(1);
        return blocks.getFirst();
    }

    private void assertServedMeanwhile(String namespace, Runnable commands) throws InterruptedException {
        Client client = new Client(admin, namespace);
        try {
            commands.run();
        } finally {
            client.stop();
        }
        assertThat(client.failures().stream().limit(5)).isEmpty();
        assertThat(client.rounds()).isGreaterThan(20);
    }

    /** Reads and changes objects in the versions of the Go provider, as GitOps would, until it is stopped. */
    private static final class Client {

        /** A fraction of the time that a pod takes to start, which leaves the API server to the commands. */
        private static final Duration PAUSE = Duration.ofMillis(250);

        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final KubernetesClient admin;
        private final String namespace;
        private final Thread thread;
        private volatile int rounds;
        private volatile boolean stopped;

        Client(KubernetesClient admin, String namespace) {
            this.admin = admin;
            this.namespace = namespace;
            thread = Thread.ofVirtual().start(this::run);
        }

        private void run() {
            while (!stopped) {
                ask("bootstrap.cluster.x-k8s.io/v1alpha1", "OpenshiftAssistedConfig");
                ask("bootstrap.cluster.x-k8s.io/v1alpha2", "OpenshiftAssistedConfig");
                ask("controlplane.cluster.x-k8s.io/v1alpha2", "OpenshiftAssistedControlPlane");
                ask("controlplane.cluster.x-k8s.io/v1alpha3", "OpenshiftAssistedControlPlane");
                rounds++;
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }

        private void ask(String version, String kind) {
            try {
                var object = admin.genericKubernetesResources(version, kind)
                        .inNamespace(namespace)
                        .withName("kept");
                if (version.endsWith("controlplane.cluster.x-k8s.io/v1alpha2")) {
                    // Not changed: the stand-in does not convert the reference to the template.
                    var unused = object.require();
                    return;
                }
                var unused =
                        object.patch(MERGE, "{\"metadata\":{\"annotations\":{\"round\":\"%d\"}}}".formatted(rounds));
            } catch (KubernetesClientException | ResourceNotFoundException e) {
                failures.add(Instant.now() + " " + version + " " + kind + ": " + e.getMessage());
            }
        }

        Queue<String> failures() {
            return failures;
        }

        int rounds() {
            return rounds;
        }

        void stop() throws InterruptedException {
            stopped = true;
            thread.join();
        }
    }

    /** Until the API server trusts the webhooks of the Go provider: three conversions, and two validations. */
    private void awaitTrust() {
        await().atMost(RealLab.SOON)
                .untilAsserted(() -> assertThat(shell.run("kubectl get crd,validatingwebhookconfigurations -o name"
                                        + " | grep -e openshiftassisted -e capoa- | xargs kubectl get -o yaml")
                                .text()
                                .lines()
                                .filter(line -> line.contains("caBundle: ")))
                        .hasSize(5));
    }

    /** Webhook configurations of the providers as they were last applied, in JSON. */
    private List<String> lastApplied() {
        return admin.admissionRegistration().v1().validatingWebhookConfigurations().list().getItems().stream()
                .filter(configuration -> configuration.getMetadata().getName().startsWith("capoa-"))
                .map(configuration -> configuration
                        .getMetadata()
                        .getAnnotations()
                        .get("kubectl.kubernetes.io/last-applied-configuration"))
                .toList();
    }

    private Map<String, Object> specs(String namespace, String bootstrap, String controlPlane) {
        Map<String, Object> specs = new TreeMap<>();
        Map.of(
                        "OpenshiftAssistedConfig", "bootstrap.cluster.x-k8s.io/" + bootstrap,
                        "OpenshiftAssistedConfigTemplate", "bootstrap.cluster.x-k8s.io/" + bootstrap,
                        "OpenshiftAssistedControlPlane", "controlplane.cluster.x-k8s.io/" + controlPlane)
                .forEach((kind, version) -> admin.genericKubernetesResources(version, kind)
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .forEach(object ->
                                specs.put(kind + "/" + object.getMetadata().getName(), object.<Object>get("spec"))));
        return specs;
    }

    /** Kinds and names of all that the providers have. */
    private String components() {
        return shell.run("kubectl get " + COMPONENTS + " -A -o name | grep -e capoa- -e openshiftassisted | sort")
                .text();
    }

    private List<String> webhooks() {
        return admin.admissionRegistration().v1().validatingWebhookConfigurations().list().getItems().stream()
                .filter(configuration -> configuration.getMetadata().getName().startsWith("capoa-"))
                .flatMap(configuration -> configuration.getWebhooks().stream())
                .map(webhook -> webhook.getName())
                .toList();
    }

    private Deployment deployment(Provider provider) {
        return admin.apps()
                .deployments()
                .inNamespace(provider.namespace())
                .withName(provider.deployment())
                .require();
    }

    /** The components of one of the Go provider's providers: its definitions, and the shapes of the rest. */
    private static String goProvider(String provider) throws IOException {
        String definitions = VersionedDefinitions.ofTheGoProvider().stream()
                .filter(definition -> VersionedDefinitions.provider(definition).equals(provider))
                .map(Serialization::asYaml)
                .collect(Collectors.joining("---\n"));
        String rest = resource("go-provider.yaml").replace("PROVIDER", provider);
        String webhooks = provider.equals("bootstrap") ? "---\n" + resource("go-provider-webhooks.yaml") : "";
        int end = rest.indexOf("---\n");
        return rest.substring(0, end) + "---\n" + definitions + rest.substring(end) + webhooks;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream content = Objects.requireNonNull(MigrationTest.class.getResourceAsStream(name))) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The Go provider as a local repository of clusterctl. */
    private Path repository(String name, String version) throws IOException {
        Path repository = home.resolve(name);
        for (String provider : List.of("bootstrap", "controlplane")) {
            boolean bootstrap = provider.equals("bootstrap");
            Path folder = Files.createDirectories(
                    repository.resolve((bootstrap ? "bootstrap" : "control-plane") + "-openshift-assisted/" + version));
            Files.writeString(
                    folder.resolve((bootstrap ? "bootstrap" : "control-plane") + "-components.yaml"),
                    goProvider(provider));
            Files.writeString(folder.resolve("metadata.yaml"), """
                    apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3
                    releaseSeries:
                      - major: 0
                        minor: 1
                        contract: v1beta1
                    """);
        }
        return repository;
    }

    /** Settings of clusterctl in a folder, with Cluster API core, without which it installs nothing. */
    private static void settings(String name, Path repository) throws IOException {
        var unused = LocalRepository.assemble(
                Files.createDirectories(home.resolve(name)), repository, ROOT, BINARIES, Map.of());
    }

    private static final String OBJECTS = """
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfig
            metadata: {name: kept, annotations: {cluster.x-k8s.io/paused: ""}}
            spec: {cpuArchitecture: arm64, nodeRegistration: {name: $METADATA_NAME}}
            ---
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfigTemplate
            metadata: {name: kept}
            spec: {template: {spec: {cpuArchitecture: x86_64, sshAuthorizedKey: ""}}}
            ---
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
            kind: OpenshiftAssistedControlPlane
            metadata: {name: kept, annotations: {cluster.x-k8s.io/paused: ""}}
            spec:
              distributionVersion: 4.20.0
              replicas: 3
              machineTemplate:
                infrastructureRef:
                  {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: metal}
              config:
                baseDomain: example.com
                apiVIPs: [192.0.2.1]
                ingressVIPs: [192.0.2.2]
            """;
}
