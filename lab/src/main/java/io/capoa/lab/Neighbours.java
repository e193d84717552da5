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

/**
 * Everything that stands around the providers in a data centre, simulated: Cluster API core, Metal3, assisted-service,
 * the hosts, the release registry and the clusters that result. Each acts under a user of its own.
 */
public final class Neighbours implements AutoCloseable {

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final ReleaseRegistry registry;
    private final WorkloadClusters workloads;
    private final AssistedService assistedService;
    private final Hosts hosts;
    private final Rack rack;

    private Neighbours(TestCluster cluster, ReleaseRegistry registry, Delays delays, Path folder) throws IOException {
        this.registry = registry;
        try {
            workloads = keep(new WorkloadClusters(0)).start();
            assistedService = keep(new AssistedService(
                    client(cluster, KnownUsers.ASSISTED_SERVICE), workloads, this::release, delays, 0, true));
            hosts = keep(new Hosts(client(cluster, KnownUsers.WORKLOAD), delays, folder.resolve("hosts")));
            Metal3Simulator metal3 = keep(new Metal3Simulator(client(cluster, KnownUsers.METAL3), delays));
            CoreSimulator core = keep(new CoreSimulator(client(cluster, KnownUsers.CLUSTER_API)));
            rack = new Rack(cluster.admin());
            var unused = assistedService.start();
            var ignored = hosts.start();
            metal3.start();
            core.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts them all; returns when each has seen what there is.
     *
     * @param registry runs already, and is closed by whoever started it
     * @param folder for the hosts' file systems
     */
    public static Neighbours start(TestCluster cluster, ReleaseRegistry registry, Delays delays, Path folder) {
        try {
            return new Neighbours(cluster, registry, delays, folder);
        } catch (IOException e) {
            throw new ClusterException("Cannot start the simulated neighbours: " + e.getMessage(), e);
        }
    }

    /** Registers so many available hosts in a namespace. */
    public void rack(String namespace, int count) {
        rack.fill(namespace, count);
    }

    public ReleaseRegistry registry() {
        return registry;
    }

    public WorkloadClusters workloads() {
        return workloads;
    }

    public AssistedService assistedService() {
        return assistedService;
    }

    public Hosts hosts() {
        return hosts;
    }

    /** What assisted-service finds in a release image that it pulls. */
    private Release release(String image) {
        int at = image.indexOf('@');
        return at < 0
                ? Release.fromTag(image)
                : registry.tagOf(image.substring(at + 1))
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
