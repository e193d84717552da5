package io.capoa.lab;

import io.capoa.lab.actors.Delays;
import io.capoa.lab.assisted.AssistedService;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.core.CoreSimulator;
import io.capoa.lab.host.Hosts;
import io.capoa.lab.metal3.Metal3Simulator;
import io.capoa.lab.metal3.Rack;
import io.capoa.lab.registry.ReleaseRegistry;
import io.capoa.lab.workload.Release;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The simulated neighbours of the providers: Cluster API core, Metal3, assisted-service, hosts, release registry and
 * workload clusters. Each has its own user.
 */
public final class Neighbours implements AutoCloseable {

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Optional<ReleaseRegistry> registry;
    private final Set<Neighbour> absent;
    private final WorkloadClusters workloads;
    private final Rack rack;
    private @Nullable AssistedService assistedService;
    private @Nullable Hosts hosts;

    private Neighbours(
            TestCluster cluster,
            Optional<ReleaseRegistry> registry,
            Delays delays,
            Path folder,
            Set<Neighbour> absent,
            Optional<RealService> service)
            throws IOException {
        this.registry = registry;
        this.absent = Set.copyOf(absent);
        try {
            rack = new Rack(cluster.admin());
            workloads = keep(new WorkloadClusters(0)).start();
            if (has(Neighbour.ASSISTED_SERVICE)) {
                AssistedService simulated = keep(new AssistedService(
                        client(cluster, KnownUsers.ASSISTED_SERVICE), workloads, this::release, delays, 0, true));
                assistedService = simulated.start();
            }
            if (has(Neighbour.HOSTS)) {
                hosts = keep(new Hosts(
                                client(cluster, KnownUsers.WORKLOAD),
                                delays,
                                folder.resolve("hosts"),
                                service.flatMap(RealService::trust)))
                        .start();
            }
            if (has(Neighbour.METAL3)) {
                keep(new Metal3Simulator(client(cluster, KnownUsers.METAL3), delays))
                        .start();
            }
            if (has(Neighbour.CLUSTER_API)) {
                keep(new CoreSimulator(client(cluster, KnownUsers.CLUSTER_API))).start();
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
     * @param absent neighbours that are not simulated
     */
    public static Neighbours start(
            TestCluster cluster,
            Optional<ReleaseRegistry> registry,
            Delays delays,
            Path folder,
            Set<Neighbour> absent) {
        return start(cluster, registry, delays, folder, absent, Optional.empty());
    }

    /**
     * As the other, with a real assisted-service if given.
     *
     * @param service a real assisted-service; the hosts trust its certificate
     */
    public static Neighbours start(
            TestCluster cluster,
            Optional<ReleaseRegistry> registry,
            Delays delays,
            Path folder,
            Set<Neighbour> absent,
            Optional<RealService> service) {
        try {
            return new Neighbours(cluster, registry, delays, folder, absent, service);
        } catch (IOException e) {
            throw new ClusterException("Cannot start the simulated neighbours: " + e.getMessage(), e);
        }
    }

    private boolean has(Neighbour neighbour) {
        return !absent.contains(neighbour);
    }

    /** Registers this number of available hosts in a namespace. */
    public void rack(String namespace, int count) {
        rack.fill(namespace, count);
    }

    public ReleaseRegistry registry() {
        return registry.orElseThrow(() -> notSimulated(Neighbour.REGISTRY));
    }

    public WorkloadClusters workloads() {
        return workloads;
    }

    public AssistedService assistedService() {
        return simulated(assistedService, Neighbour.ASSISTED_SERVICE);
    }

    public Hosts hosts() {
        return simulated(hosts, Neighbour.HOSTS);
    }

    private static <N> N simulated(@Nullable N part, Neighbour neighbour) {
        if (part == null) {
            throw notSimulated(neighbour);
        }
        return part;
    }

    private static IllegalStateException notSimulated(Neighbour neighbour) {
        return new IllegalStateException("The lab does not simulate %s here.".formatted(neighbour.title()));
    }

    /** The release in an image, which assisted-service knows from pulling it. */
    private Release release(String image) {
        int at = image.indexOf('@');
        return at < 0
                ? Release.fromTag(image)
                : registry.flatMap(releases -> releases.tagOf(image.substring(at + 1)))
                        .map(tag -> Release.fromTag(image.substring(0, at) + ":" + tag))
                        .orElseGet(() -> Release.fromTag(image));
    }

    private KubernetesClient client(TestCluster cluster, String user) {
        return keep(cluster.clientOf(user));
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
                System.err.println("While stopping the simulated neighbours: " + e);
            }
        }
    }
}
