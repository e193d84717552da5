package io.capoa.lab;

import io.capoa.lab.certmanager.CertManager;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.clusterctl.Clusterctl;
import io.capoa.lab.clusterctl.ClusterctlInstallation;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.pods.LocalNode;
import io.capoa.lab.pods.Program;
import io.capoa.lab.pods.Programs;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderInstallation;
import io.capoa.lab.registry.ReleaseRegistry;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A management cluster that can install workload clusters: a node, cert-manager's stand-in, the two providers as released,
 * and their simulated or real peers.
 */
public final class LabStack implements AutoCloseable {

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final LocalNode node;
    private final Peers peers;
    private @Nullable Clusterctl clusterctl;
    private @Nullable Output said;

    private LabStack(
            ManagementCluster management,
            Delays delays,
            Path folder,
            Notices notices,
            Set<Peer> absent,
            Map<String, String> variables,
            Optional<RealService> service,
            boolean light,
            Function<Provider, Program> managers) {
        TestCluster cluster = management.cluster();
        requireDeployments(cluster);
        try {
            notices.step().accept("rendering the components of the providers");
            ProviderInstallation providers = ProviderInstallation.of(cluster, management.root(), variables);
            notices.step().accept("creating the CustomResourceDefinitions, starting cert-manager");
            prepare(management, providers);
            notices.step().accept("starting the node");
            Programs programs =
                    new Programs(Stream.of(Provider.values()).map(managers).toList());
            node = keep(LocalNode.of(cluster)
                    .programs(programs)
                    .folder(folder)
                    .onRestart(notices.restarted())
                    .start());
            notices.step().accept("applying the components of the providers");
            Optional<ReleaseRegistry> registry = registry(delays, absent);
            providers.apply(registry.map(ReleaseRegistry::registriesConf).orElse(""));
            service.flatMap(real -> real.secret(Provider.BOOTSTRAP.namespace()))
                    .ifPresent(secret -> cluster.admin()
                            .resource(secret)
                            .fieldManager("lab")
                            .forceConflicts()
                            .serverSideApply());
            notices.step().accept("starting the peers");
            // In parallel with the start of the providers.
            peers = keep(
                    light
                            ? Peers.light(cluster, registry, folder)
                            : Peers.start(cluster, registry, delays, folder, absent, service));
            for (Provider provider : Provider.values()) {
                notices.step().accept("waiting until %s is available".formatted(provider.module()));
                ProviderInstallation.awaitAvailable(cluster.admin(), provider);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new ClusterException("Interrupted while the lab was starting.", e);
        } catch (ExecutionException e) {
            close();
            throw new ClusterException("The stand-in for cert-manager does not start: " + e.getCause(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private LabStack(
            ManagementCluster management,
            Binaries binaries,
            LocalRepository repository,
            Delays delays,
            Path folder,
            Notices notices,
            Set<Peer> absent,
            Function<Provider, Program> managers) {
        requireDeployments(management.cluster());
        try {
            notices.step().accept("installing cert-manager and preparing the node");
            ClusterctlInstallation installation = keep(ClusterctlInstallation.prepare(
                    management, binaries, repository, folder, notices.restarted(), managers));
            node = installation.node();
            clusterctl = installation.clusterctl();
            Optional<ReleaseRegistry> registry = registry(delays, absent);
            registry.map(ReleaseRegistry::registriesConf).ifPresent(installation::mirrors);
            notices.step().accept("waiting until clusterctl has installed Cluster API core and both providers");
            said = installation.clusterctl().init();
            notices.step().accept("starting the peers");
            Set<Peer> off = EnumSet.of(Peer.CLUSTER_API);
            off.addAll(absent);
            peers = keep(Peers.start(management.cluster(), registry, delays, folder, off));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Creates the CRDs and starts cert-manager, in parallel: each waits for its own kinds to be served. */
    private void prepare(ManagementCluster management, ProviderInstallation providers)
            throws ExecutionException, InterruptedException {
        CompletableFuture<CertManager> certManager = CompletableFuture.supplyAsync(
                () -> keep(CertManager.start(management.cluster())),
                work -> Thread.ofVirtual().start(work));
        try {
            management.preparePeers(providers.definitions());
        } finally {
            certManager.handle((started, failure) -> started).join();
        }
        var unused = certManager.get();
    }

    private Optional<ReleaseRegistry> registry(Delays delays, Set<Peer> absent) {
        return absent.contains(Peer.REGISTRY) ? Optional.empty() : Optional.of(keep(ReleaseRegistry.start(delays)));
    }

    private static void requireDeployments(TestCluster cluster) {
        if (cluster instanceof LocalCluster local
                && !local.processIds().containsKey(Tool.KUBE_CONTROLLER_MANAGER.executable())) {
            throw new ClusterException(
                    "The lab needs kube-controller-manager, which creates the pods of Deployments. It could not be"
                            + " downloaded, and cannot be built because Go is not installed (https://go.dev/dl).");
        }
    }

    /**
     * Starts everything on a new API server of the lab; returns when it is ready.
     *
     * @param folder for logs, pods and the hosts' file systems
     * @param restarted receives a sentence when a container has ended unexpectedly
     */
    public static LabStack start(ManagementCluster management, Delays delays, Path folder, Consumer<String> restarted) {
        return start(management, delays, folder, restarted, Set.of());
    }

    /**
     * As {@link #start(ManagementCluster, Delays, Path, Consumer)}.
     *
     * @param variables of the providers' components that override defaults
     */
    public static LabStack start(
            ManagementCluster management,
            Delays delays,
            Path folder,
            Consumer<String> restarted,
            Map<String, String> variables) {
        return new LabStack(
                management,
                delays,
                folder,
                Notices.of(restarted),
                Set.of(),
                variables,
                Optional.empty(),
                false,
                provider -> provider.program(management.root()));
    }

    /**
     * As {@link #start(ManagementCluster, Delays, Path, Consumer)}.
     *
     * @param absent peers that are not simulated, because the real ones run
     */
    public static LabStack start(
            ManagementCluster management, Delays delays, Path folder, Consumer<String> restarted, Set<Peer> absent) {
        return start(
                management,
                delays,
                folder,
                Notices.of(restarted),
                absent,
                Map.of(),
                Optional.empty(),
                provider -> provider.program(management.root()));
    }

    /**
     * As {@link #start(ManagementCluster, Delays, Path, Consumer)}.
     *
     * @param absent peers that are not simulated
     * @param variables of the providers' components that override defaults
     * @param service a real assisted-service
     * @param managers programs of the two providers
     */
    public static LabStack start(
            ManagementCluster management,
            Delays delays,
            Path folder,
            Notices notices,
            Set<Peer> absent,
            Map<String, String> variables,
            Optional<RealService> service,
            Function<Provider, Program> managers) {
        Map<String, String> all = new HashMap<>(service.map(real -> real.variables(Provider.BOOTSTRAP.namespace()))
                .orElse(Map.of()));
        all.putAll(variables);
        return new LabStack(management, delays, folder, notices, absent, all, service, false, managers);
    }

    /**
     * As {@link #start(ManagementCluster, Delays, Path, Consumer, Map)}, with {@link Peers#light light peers}.
     *
     * @param managers programs of the two providers
     */
    public static LabStack light(
            ManagementCluster management,
            Path folder,
            Notices notices,
            Map<String, String> variables,
            Function<Provider, Program> managers) {
        return new LabStack(
                management, Delays.none(), folder, notices, Set.of(), variables, Optional.empty(), true, managers);
    }

    /**
     * As {@link #start(ManagementCluster, Delays, Path, Consumer, Set)}, with the real Cluster API core: clusterctl
     * installs core and both providers from the repository.
     *
     * @param managers programs of the two providers
     */
    public static LabStack byClusterctl(
            ManagementCluster management,
            Binaries binaries,
            LocalRepository repository,
            Delays delays,
            Path folder,
            Notices notices,
            Set<Peer> absent,
            Function<Provider, Program> managers) {
        return new LabStack(management, binaries, repository, delays, folder, notices, absent, managers);
    }

    /** clusterctl; empty unless it has installed the providers. */
    public Optional<Clusterctl> clusterctl() {
        return Optional.ofNullable(clusterctl);
    }

    /** Output of {@code clusterctl init}; empty unless clusterctl has installed the providers. */
    public Optional<Output> init() {
        return Optional.ofNullable(said);
    }

    public LocalNode node() {
        return node;
    }

    public Peers peers() {
        return peers;
    }

    private synchronized <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }

    @Override
    public synchronized void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("While stopping: " + e);
            }
        }
    }
}
