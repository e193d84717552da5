package io.capoa.lab.assisted;

import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.controller.Key;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The service's database: infra-envs, hosts and clusters, with listeners for changes of hosts. */
final class Backend {

    /**
     * An infra-env that has been accepted.
     *
     * @param id the UID of the InfraEnv
     * @param pullSecret JSON of the registries' credentials
     * @param content what its discovery ignition is made from
     */
    record InfraEnvRecord(String id, Key key, String pullSecret, DiscoveryContent content) {
        @Override
        public String toString() {
            return key + " (" + id + ")";
        }
    }

    /** Reason why a registration is rejected. */
    static final String NO_NEW_HOSTS =
            "Host can register only in one of the following states: [insufficient ready pending-for-input"
                    + " adding-hosts]";

    /** Simulated behaviour by namespace. */
    final Behaviour behaviour = new Behaviour();

    private final Map<String, InfraEnvRecord> infraEnvs = new ConcurrentHashMap<>();
    private final Map<Key, HostRecord> hosts = new ConcurrentHashMap<>();
    private final Map<Key, ClusterRecord> clusters = new ConcurrentHashMap<>();
    private volatile Consumer<HostRecord> listener = host -> {};

    /** Calls the listener whenever a host has registered, reported or changed state. */
    void onHostChange(Consumer<HostRecord> changed) {
        listener = changed;
    }

    void hostChanged(HostRecord host) {
        listener.accept(host);
    }

    void accept(InfraEnvRecord infraEnv) {
        infraEnvs.put(infraEnv.id(), infraEnv);
    }

    void removeInfraEnv(String id) {
        infraEnvs.remove(id);
    }

    Optional<InfraEnvRecord> infraEnv(String id) {
        return Optional.ofNullable(infraEnvs.get(id));
    }

    /** Blocks during an outage in the namespace of the infra-env. */
    void awaitUp(String infraEnvId) throws InterruptedException {
        InfraEnvRecord infraEnv = infraEnvs.get(infraEnvId);
        if (infraEnv != null) {
            behaviour.awaitUp(infraEnv.key().namespace());
        }
    }

    /** Known hosts may register again at any time, new ones not while their cluster is being installed. */
    boolean takesHost(InfraEnvRecord accepted, @Nullable InfraEnv infraEnv, String hostId) {
        Key key = infraEnv == null ? null : InfraEnvController.clusterOf(infraEnv);
        ClusterRecord cluster = key == null ? null : clusters.get(key);
        return cluster == null
                || cluster.state.takesNewHosts()
                || host(accepted.id(), hostId).isPresent();
    }

    /** Registers a host that has booted; a known host that is in discovery or failed starts over. */
    HostRecord register(InfraEnvRecord infraEnv, String hostId, Map<String, Object> inventory) {
        Key key = new Key(infraEnv.key().namespace(), hostId);
        HostRecord host = hosts.compute(key, (k, before) -> {
            if (before != null && before.infraEnvId.equals(infraEnv.id())) {
                before.bootAgain(inventory);
                return before;
            }
            if (before != null) {
                before.forget();
            }
            return new HostRecord(k, infraEnv.id(), inventory);
        });
        hostChanged(host);
        return host;
    }

    @Nullable
    HostRecord host(Key agent) {
        return hosts.get(agent);
    }

    Optional<HostRecord> host(String infraEnvId, String hostId) {
        return infraEnv(infraEnvId)
                .map(env -> hosts.get(new Key(env.key().namespace(), hostId)))
                .filter(host -> host.infraEnvId.equals(infraEnvId));
    }

    void removeHost(HostRecord host) {
        hosts.remove(host.agent, host);
        host.forget();
    }

    /** The hosts of a cluster, sorted by name. */
    List<HostRecord> hostsOf(Key cluster) {
        return hosts.values().stream()
                .filter(h -> cluster.equals(h.cluster))
                .sorted(Comparator.comparing(h -> h.agent.name()))
                .toList();
    }

    List<HostRecord> hostsOfInfraEnv(String id) {
        return hosts.values().stream().filter(h -> h.infraEnvId.equals(id)).toList();
    }

    @Nullable
    ClusterRecord cluster(Key key) {
        return clusters.get(key);
    }

    /** The cluster of a ClusterDeployment; a new AgentClusterInstall creates a new one. */
    ClusterRecord cluster(Key key, String installUid) {
        return clusters.compute(
                key,
                (k, before) -> before != null && before.installUid.equals(installUid)
                        ? before
                        : new ClusterRecord(k, installUid));
    }

    void removeCluster(Key key) {
        clusters.remove(key);
    }
}
