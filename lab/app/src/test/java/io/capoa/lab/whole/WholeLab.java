package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Labels;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.LabNamespace;
import io.capoa.lab.LabStack;
import io.capoa.lab.Peers;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.TestClusters;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.conformance.ConformanceRun;
import io.capoa.lab.conformance.ProviderUnderTest;
import io.capoa.lab.conformance.Verdict;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.metal3.HostHardware;
import io.capoa.lab.pods.LocalNode;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.progress.Clusters;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderInstallation;
import io.capoa.lab.provider.ProviderMetrics;
import io.capoa.lab.workload.Workload;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The lab of {@code ./lab/up}, shared by all suites of a run; each test has its own namespace. Suites that disturb others
 * share another one, see {@link Disturbing}.
 */
final class WholeLab implements AutoCloseable {

    /** Lock of tests that disturb others, which read it. */
    static final String PARTS = "parts of the whole lab";

    /** Longer than anything takes, even with other suites beside it. */
    static final Duration SOON = Duration.ofSeconds(120);

    /** Lock of the suites that share the other lab. */
    static final String OTHER = "the other whole lab";

    private static final List<String> PEERS = List.of(
            KnownUsers.CLUSTER_API,
            KnownUsers.METAL3,
            KnownUsers.CLOUD,
            KnownUsers.ASSISTED_SERVICE,
            KnownUsers.WORKLOAD);
    private static final Set<String> OF_LEADERS = Set.of("leases");
    private static final Object STARTS = new Object();
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final TestCluster cluster;
    private final Path folder;
    private final Delays delays = Delays.none();
    private final LabStack stack;
    private final Clusters clusters;

    private WholeLab() {
        this(Map.of(), (cluster, root) -> {});
    }

    /**
     * A separate lab for one suite.
     *
     * @param variables variables of the providers' components that override defaults
     * @param before called before the providers are installed
     */
    WholeLab(Map<String, String> variables, BiConsumer<TestCluster, Path> before) {
        try {
            folder = Files.createTempDirectory("capoa-lab-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Labs that start at the same time keep one another from being available in time.
        synchronized (STARTS) {
            cluster = TestClusters.select();
            ManagementCluster management = ManagementCluster.on(cluster).usedKinds();
            before.accept(cluster, management.root());
            stack = LabStack.start(management, delays, folder, System.err::println, variables);
        }
        clusters = new Clusters(cluster.admin());
        clusters.start();
    }

    AuditLog audit() {
        return cluster.auditLog().orElseThrow();
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    TestCluster cluster() {
        return cluster;
    }

    Peers peers() {
        return stack.peers();
    }

    /** Scales the providers to one; returns when they are available. */
    void startProviders() {
        scale(1);
        for (Provider provider : Provider.values()) {
            ProviderInstallation.awaitAvailable(admin(), provider);
        }
    }

    /** Scales the providers to two, a leader and a standby; returns when they are available. */
    void startStandbys() {
        scale(2);
        for (Provider provider : Provider.values()) {
            ProviderInstallation.awaitAvailable(admin(), provider);
        }
    }

    /** Scales the providers to zero; returns when their processes have exited. */
    void stopProviders() {
        scale(0);
        await().atMost(SOON).until(() -> stack.node().running().isEmpty());
    }

    private void scale(int replicas) {
        for (Provider provider : Provider.values()) {
            ProviderInstallation.deployment(admin(), provider).scale(replicas);
        }
    }

    /** Kills a provider, as the OOM killer does; returns when it has been restarted. */
    void kill(Provider provider) {
        long killed = pids(provider).getFirst();
        ProcessHandle.of(killed).ifPresent(ProcessHandle::destroyForcibly);
        await().atMost(SOON).until(() -> pids(provider), pids -> !pids.isEmpty() && !pids.contains(killed));
    }

    /**
     * Kills both providers at once and starts new ones in other pods: neither the back-off of restarted containers nor the
     * Leases of dead leaders, which expire after 15 seconds, delay them.
     */
    void replaceKilledProviders() {
        providerPids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        stopProviders();
        for (Provider provider : Provider.values()) {
            admin().leases().inNamespace(provider.namespace()).delete();
        }
        startProviders();
    }

    /** Kills a control-plane process in the same way; returns when it has been restarted. */
    void kill(Tool part) {
        LocalCluster local = (LocalCluster) cluster;
        long killed = pid(part);
        ProcessHandle.of(killed).ifPresent(ProcessHandle::destroyForcibly);
        await().atMost(SOON)
                .until(() -> !Objects.equals(killed, local.processIds().get(part.executable())));
    }

    /** Process ids of both providers. */
    List<Long> providerPids() {
        return Stream.of(Provider.values())
                .flatMap(provider -> pids(provider).stream())
                .toList();
    }

    private List<Long> pids(Provider provider) {
        return running(provider).stream().map(LocalNode.RunningContainer::pid).toList();
    }

    /** Containers of a provider that run at this moment. */
    List<LocalNode.RunningContainer> running(Provider provider) {
        return stack.node().running().stream()
                .filter(process -> process.program().equals(provider.module()))
                .toList();
    }

    /** Process id of a control-plane process; that of the last one while it is being restarted. */
    long pid(Tool part) {
        return Objects.requireNonNull(((LocalCluster) cluster).processIds().get(part.executable()));
    }

    /** Logs of the providers' pods. */
    List<Path> providerLogs() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
            return files.filter(file -> Stream.of(Provider.values())
                            .anyMatch(provider -> file.getFileName().toString().startsWith(provider.namespace() + ".")))
                    .sorted()
                    .toList();
        }
    }

    /** A new namespace with this number of available hosts. */
    String namespace(int hosts) {
        return namespace(hosts, delays);
    }

    /** As the other, in which the peers have these delays. */
    String namespace(int hosts, Delays slow) {
        String name = namespace();
        if (slow != delays) {
            delays.set(name, slow);
        }
        stack.peers().rack(name, hosts);
        return name;
    }

    private String namespace() {
        String name = "whole-" + NAMESPACES.incrementAndGet();
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, name);
        Evidence.log(folder.resolve("logs"));
        return name;
    }

    /** Text of the multi-node sample. */
    static String sample() {
        return sample("multinode");
    }

    /** Text of a sample. */
    static String sample(String name) {
        try {
            return Files.readString(ProjectRoot.find().resolve("config/samples/" + name + ".yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A change to the sample: no workers. */
    static String withoutWorkers(String sample) {
        return sample.replace("replicas: 2", "replicas: 0");
    }

    /** A change to the sample: one control plane, no workers. */
    static String singleNode(String sample) {
        return withoutAddresses(withoutWorkers(sample).replace("replicas: 3", "replicas: 1"));
    }

    /** A change to the sample: the load balancers and the DNS are the user's. */
    static String withoutAddresses(String sample) {
        return sample.replaceAll("(?m)^ +# Two free addresses.*\n.*apiVIPs.*\n.*ingressVIPs.*\n", "");
    }

    /** Removes the pause annotation of the sample's object of an infrastructure kind. */
    void unpause(String namespace, String kind) {
        var unused = admin().genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", kind)
                .inNamespace(namespace)
                .withName("multinode")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":null}}}");
    }

    /** Applies the multi-node sample, changed as the test wants. */
    void apply(String namespace, UnaryOperator<String> change) {
        apply(namespace, change.apply(sample()));
    }

    /** Applies a file's text. */
    void apply(String namespace, String manifests) {
        in(namespace).apply(manifests);
    }

    private LabNamespace in(String namespace) {
        return new LabNamespace(cluster, peers(), clusters, namespace);
    }

    /** Checks an infrastructure provider in a new namespace. */
    Verdict check(ProviderUnderTest provider) {
        return ConformanceRun.of(
                provider,
                in(namespace(provider.hosts())),
                Path.of("target", "conformance", provider.name() + ".log"),
                step -> {});
    }

    /**
     * Annotates a host of a namespace; {@code null} removes the annotation. Its hardware changes after it was inspected, so
     * that the plan of the installation does not know of it.
     */
    void annotateHost(String namespace, String host, String annotation, @Nullable String value) {
        if (annotation.equals(HostHardware.ANNOTATION)) {
            awaitInspected(namespace, host);
        }
        String text = value == null ? "null" : "\"" + value + "\"";
        var unused = admin().resources(BareMetalHost.class)
                .inNamespace(namespace)
                .withName(host)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + annotation + "\":" + text + "}}}");
    }

    private void awaitInspected(String namespace, String host) {
        await().atMost(SOON)
                .until(() -> Fields.any(
                                admin().resources(BareMetalHost.class)
                                        .inNamespace(namespace)
                                        .withName(host)
                                        .require(),
                                "status",
                                "hardware")
                        != null);
    }

    /** Name of the host that a Machine has taken. */
    String hostOf(Machine machine) {
        String consumer = Fields.string(machine, "spec", "infrastructureRef", "name");
        return admin()
                .resources(BareMetalHost.class)
                .inNamespace(machine.getMetadata().getNamespace())
                .list()
                .getItems()
                .stream()
                .filter(host -> String.valueOf(consumer)
                        .equals(BareMetalHostView.of(host).consumerName()))
                .map(host -> host.getMetadata().getName())
                .findFirst()
                .orElseThrow();
    }

    /** The progress of a namespace's clusters. */
    List<ClusterRow> rows(String namespace) {
        return in(namespace).rows();
    }

    /** Returns when every cluster of the namespace is Ready. */
    void awaitReady(String namespace) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(rows(namespace))
                        .isNotEmpty()
                        .allSatisfy(row -> assertThat(row.ready())
                                .as("%s: %s %s", row.title(), row.waitingFor(), row.machines())
                                .isTrue()));
    }

    OpenshiftAssistedControlPlane controlPlane(String namespace) {
        return admin().resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .require();
    }

    /** Merges JSON into the sample's control plane. */
    void patchControlPlane(String namespace, String body) {
        var unused = admin().resource(controlPlane(namespace)).patch(PatchContext.of(PatchType.JSON_MERGE), body);
    }

    /** A condition of the sample's control plane. */
    Optional<Condition> condition(String namespace, String type) {
        return condition(namespace, "multinode", type);
    }

    /** A condition of a control plane. */
    Optional<Condition> condition(String namespace, String name, String type) {
        OpenshiftAssistedControlPlane controlPlane = admin().resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName(name)
                .require();
        return Optional.ofNullable(controlPlane.getStatus()).map(s -> s.conditions()).stream()
                .flatMap(List::stream)
                .filter(c -> c.type().equals(type))
                .findFirst();
    }

    /** A client of the workload cluster, with the kubeconfig that Cluster API knows; the caller closes it. */
    KubernetesClient workload(String namespace, String cluster) {
        return in(namespace).workload(cluster);
    }

    /** The simulated workload cluster of the sample. */
    Workload simulated(String namespace) {
        try (KubernetesClient client = workload(namespace, "multinode")) {
            String path = client.getMasterUrl().getPath();
            String id = path.replaceFirst("^/clusters/", "").replace("/", "");
            return peers().workloads().find(id).orElseThrow();
        }
    }

    /** Metrics of the providers since their start. */
    Map<Provider, ProviderMetrics> metrics() throws InterruptedException {
        SortedMap<String, ProviderMetrics> all = ProviderMetrics.of(
                stack.node().running(), admin().getConfiguration().getOauthToken());
        return Stream.of(Provider.values())
                .collect(Collectors.toMap(provider -> provider, provider -> all.get(provider.module())));
    }

    /** The kubeconfig that Cluster API knows, in base64. */
    String kubeconfig(String namespace, String cluster) {
        return in(namespace).kubeconfig(cluster);
    }

    /** Machines of the control plane. */
    List<Machine> masters(String namespace) {
        return machines(namespace).stream()
                .filter(machine -> machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .toList();
    }

    List<Machine> machines(String namespace) {
        return in(namespace).machines();
    }

    /**
     * Writes of providers and peers after the mark, without those of API server and node, and without Lease
     * renewals.
     */
    List<AuditEntry> writes(AuditLog.Mark mark) {
        Set<String> actors = Stream.concat(
                        PEERS.stream().map(cluster::userName),
                        Stream.of(Provider.values()).map(Provider::user))
                .collect(Collectors.toSet());
        return audit().since(mark).stream()
                .filter(entry -> entry.isWrite() && actors.contains(entry.user()))
                .filter(entry -> !OF_LEADERS.contains(entry.resource()))
                .toList();
    }

    /**
     * Returns when providers and peers have not written to the namespace's objects for this time; the last statuses are
     * debounced. Other suites go on installing their own clusters.
     */
    void awaitRest(String namespace, Duration quiet) {
        AtomicReference<AuditLog.Mark> before = new AtomicReference<>(audit().mark());
        await().during(quiet).atMost(SOON).until(() -> {
            AuditLog.Mark now = audit().mark();
            return writes(before.getAndSet(now)).stream().noneMatch(entry -> entry.concerns(namespace));
        });
    }

    @Override
    public void close() {
        clusters.close();
        stack.close();
        cluster.close();
    }

    /** Injects the shared lab into tests. */
    static class Shared extends LocalClusterOnly implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == WholeLab.class;
        }

        @Override
        public WholeLab resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(getClass()))
                    .computeIfAbsent(WholeLab.class, key -> new WholeLab(), WholeLab.class);
        }
    }

    /** The lab of {@link Disturbing} suites. */
    static final class Disturbed extends Shared {}
}
