package io.capoa.lab;

import io.capoa.lab.assisted.AssistedServiceSimulator;
import io.capoa.lab.cloud.CloudSimulator;
import io.capoa.lab.cloud.ForeignInstances;
import io.capoa.lab.cloud.ForeignInstances.Kind;
import io.capoa.lab.cloud.LabCloudMachine;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.core.CoreSimulator;
import io.capoa.lab.host.Hosts;
import io.capoa.lab.host.Instances;
import io.capoa.lab.light.LightPeers;
import io.capoa.lab.metal3.Metal3Machine;
import io.capoa.lab.metal3.Metal3Simulator;
import io.capoa.lab.metal3.Rack;
import io.capoa.lab.registry.ReleaseRegistry;
import io.capoa.lab.workload.CloudInstances;
import io.capoa.lab.workload.ReleaseCatalogue;
import io.capoa.lab.workload.ReleaseImages;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The simulated peers of the providers: Cluster API core, Metal3, a cloud, assisted-service, hosts, release registry and
 * workload clusters.
 */
public final class Peers implements AutoCloseable {

    private static final Kind METAL3_MACHINE = kind(Metal3Machine.class);
    private static final Kind CLOUD_MACHINE = kind(LabCloudMachine.class);

    /**
     * What is simulated, and where.
     *
     * @param registry already running and closed by the caller; empty if none is simulated
     * @param folder of the hosts' file systems
     * @param absent peers that are not simulated
     * @param service a real assisted-service; the hosts trust its certificate
     * @param light peers that write each object's last state at once
     */
    private record Setup(
            TestCluster cluster,
            Optional<ReleaseRegistry> registry,
            Delays delays,
            Path folder,
            Set<Peer> absent,
            Optional<RealService> service,
            boolean light) {

        boolean has(Peer peer) {
            return !absent.contains(peer);
        }

        Optional<SSLContext> trust() {
            return service.flatMap(RealService::trust);
        }
    }

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Setup setup;
    private final WorkloadClusters workloads;
    private final Rack rack;
    private @Nullable AssistedServiceSimulator assistedService;
    private @Nullable CloudSimulator cloud;
    private @Nullable Hosts hosts;

    private Peers(Setup setup) throws IOException {
        this.setup = setup;
        KubernetesClient admin = setup.cluster.admin();
        Delays delays = setup.delays;
        try {
            rack = new Rack(admin);
            workloads = keep(new WorkloadClusters(0, delays)).start();
            ReleaseCatalogue releases = new ReleaseCatalogue(
                    setup.registry.<ReleaseImages>map(r -> r).orElseGet(ReleaseImages::ofNames));
            workloads.connect(releases);
            if (setup.has(Peer.ASSISTED_SERVICE)) {
                AssistedServiceSimulator simulated = keep(new AssistedServiceSimulator(
                        client(KnownUsers.ASSISTED_SERVICE), workloads, releases::of, delays, 0, true));
                if (setup.light) {
                    keep(new LightPeers(admin, simulated)).start();
                }
                assistedService = simulated.start();
            }
            if (setup.has(Peer.HOSTS)) {
                hosts = keep(new Hosts(
                                client(KnownUsers.WORKLOAD), delays, setup.folder.resolve("hosts"), setup.trust()))
                        .start();
            }
            if (setup.has(Peer.METAL3)) {
                keep(new Metal3Simulator(client(KnownUsers.METAL3), delays)).start();
            }
            if (setup.has(Peer.CLOUD)) {
                cloud = keep(new CloudSimulator(client(KnownUsers.CLOUD), delays, instances("instances")))
                        .start();
            }
            CloudInstances own = cloud == null ? CloudInstances.NONE : cloud;
            CloudInstances foreign = setup.has(Peer.HOSTS) ? keep(foreign()).start() : CloudInstances.NONE;
            workloads.connect(hostname -> own.find(hostname).or(() -> foreign.find(hostname)));
            if (setup.has(Peer.CLUSTER_API)) {
                keep(new CoreSimulator(client(KnownUsers.CLUSTER_API))).start();
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts them; returns when all informers have synced.
     *
     * @param registry already running and closed by the caller; empty if none is simulated
     * @param folder of the hosts' file systems
     * @param absent peers that are not simulated
     */
    public static Peers start(
            TestCluster cluster, Optional<ReleaseRegistry> registry, Delays delays, Path folder, Set<Peer> absent) {
        return start(cluster, registry, delays, folder, absent, Optional.empty());
    }

    /**
     * As the other, with a real assisted-service if given.
     *
     * @param service a real assisted-service; the hosts trust its certificate
     */
    public static Peers start(
            TestCluster cluster,
            Optional<ReleaseRegistry> registry,
            Delays delays,
            Path folder,
            Set<Peer> absent,
            Optional<RealService> service) {
        return start(new Setup(cluster, registry, delays, folder, absent, service, false));
    }

    /**
     * Starts peers that write each object's last state at once, without hosts that run; returns when all informers have
     * synced.
     */
    public static Peers light(TestCluster cluster, Optional<ReleaseRegistry> registry, Path folder) {
        Set<Peer> absent = EnumSet.of(Peer.HOSTS, Peer.METAL3, Peer.CLOUD, Peer.CLUSTER_API);
        return start(new Setup(cluster, registry, Delays.none(), folder, absent, Optional.empty(), true));
    }

    private static Peers start(Setup setup) {
        try {
            return new Peers(setup);
        } catch (IOException e) {
            throw new ClusterException("Cannot start the simulated peers: " + e.getMessage(), e);
        }
    }

    /** Hosts of infrastructure providers that the lab does not know. */
    private ForeignInstances foreign() throws IOException {
        Set<Kind> simulated = setup.has(Peer.CLOUD) ? Set.of(METAL3_MACHINE, CLOUD_MACHINE) : Set.of(METAL3_MACHINE);
        return new ForeignInstances(client(KnownUsers.WORKLOAD), instances("foreign-instances"), simulated);
    }

    private Instances instances(String folder) throws IOException {
        return new Instances(client(KnownUsers.WORKLOAD), setup.delays, setup.folder.resolve(folder), setup.trust());
    }

    private static Kind kind(Class<? extends HasMetadata> type) {
        return new Kind(HasMetadata.getGroup(type), HasMetadata.getKind(type));
    }

    /** Registers this number of available hosts in a namespace. */
    public void rack(String namespace, int count) {
        if (setup.light) {
            rack.fillInspected(namespace, count);
        } else if (setup.has(Peer.METAL3)) {
            rack.fill(namespace, count);
        } else {
            rack.fillWithoutInspection(namespace, count);
        }
    }

    public ReleaseRegistry registry() {
        return setup.registry.orElseThrow(() -> notSimulated(Peer.REGISTRY));
    }

    public WorkloadClusters workloads() {
        return workloads;
    }

    public AssistedServiceSimulator assistedService() {
        return simulated(assistedService, Peer.ASSISTED_SERVICE);
    }

    public Hosts hosts() {
        return simulated(hosts, Peer.HOSTS);
    }

    public CloudSimulator cloud() {
        return simulated(cloud, Peer.CLOUD);
    }

    private static <N> N simulated(@Nullable N part, Peer peer) {
        if (part == null) {
            throw notSimulated(peer);
        }
        return part;
    }

    private static IllegalStateException notSimulated(Peer peer) {
        return new IllegalStateException("The lab does not simulate %s here.".formatted(peer.title()));
    }

    private KubernetesClient client(String user) {
        return keep(setup.cluster.clientOf(user));
    }

    private <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("While stopping the simulated peers: " + e);
            }
        }
    }
}
