package io.capoa.lab.assisted;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.NMStateConfig;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The simulated assisted-service: watches its kinds in the management cluster and serves the hosts' agents by HTTP. */
public final class AssistedServiceSimulator implements AutoCloseable {

    private final Caches caches;
    private final Backend backend = new Backend();
    private final ServiceApi api;
    private final WorkQueue infraEnvs;
    private final WorkQueue agents;
    private final WorkQueue clusters;
    private final InstallController clusterController;

    /**
     * Creates the service; {@link #start()} starts it.
     *
     * @param client of the service's own user; closed by the caller
     * @param port of 127.0.0.1 for its HTTP server; 0 takes a free one
     * @param imageService whether InfraEnvs get an ISO and boot artifacts, or only their events URL
     */
    public AssistedServiceSimulator(
            KubernetesClient client,
            WorkloadClusters workloads,
            ReleaseVersions.Lookup releases,
            Delays delays,
            int port,
            boolean imageService)
            throws IOException {
        this(client, workloads, releases, delays, port, imageService, null);
    }

    /** As the other, for one namespace, or for all if {@code null}. */
    AssistedServiceSimulator(
            KubernetesClient client,
            WorkloadClusters workloads,
            ReleaseVersions.Lookup releases,
            Delays delays,
            int port,
            boolean imageService,
            @Nullable String namespace)
            throws IOException {
        this.caches = new Caches(client, namespace);
        Writes writes = new Writes(client, caches);
        PullSecretChecks pullSecrets = new PullSecretChecks(client);
        this.api = new ServiceApi(port, backend, new LocalAuthTokens(), caches.of(InfraEnv.class), delays);
        var infraEnvController =
                new InfraEnvController(caches, backend, pullSecrets, writes, api, delays, imageService);
        var agentController = new AgentController(caches, backend, writes, api, delays);
        this.clusterController =
                new InstallController(caches, backend, pullSecrets, writes, api, delays, workloads, releases);
        this.infraEnvs = new WorkQueue("infraenv", backend.behaviour.whileUp(infraEnvController::work));
        this.clusters = new WorkQueue("cluster", backend.behaviour.whileUp(this::cluster));
        this.agents = new WorkQueue("agent", backend.behaviour.whileUp(key -> agentController.work(key, clusters)));
    }

    private @Nullable Duration cluster(Key key) {
        boolean known = backend.cluster(key) != null;
        Duration again = clusterController.work(key, host -> agents.enqueue(host.agent));
        if (known != (backend.cluster(key) != null)) {
            infraEnvsOf(key).forEach(infraEnvs::enqueue);
        }
        return again;
    }

    /** The database of clusters and hosts. */
    Backend backend() {
        return backend;
    }

    /** Starts HTTP server and informers; returns when the informers have synced. */
    public AssistedServiceSimulator start() {
        infraEnvs
                .watch(caches.of(InfraEnv.class))
                .watch(caches.of(ClusterDeployment.class), d -> infraEnvsOf(Key.of(d)))
                .watch(caches.of(Agent.class), this::infraEnvOf)
                .watch(caches.ofAllNamespaces(NMStateConfig.class), this::infraEnvsOf);
        agents.watch(caches.of(Agent.class));
        clusters.watch(caches.of(ClusterDeployment.class))
                .watch(caches.of(AgentClusterInstall.class), AssistedServiceSimulator::deploymentOf)
                .watch(caches.of(Agent.class), a -> clusterOf(a).map(List::of).orElse(List.of()))
                .watch(caches.of(ClusterImageSet.class), this::usersOf);
        backend.onHostChange(host -> {
            agents.enqueue(host.agent);
            Key cluster = host.cluster;
            if (cluster != null) {
                clusters.enqueue(cluster);
            }
        });
        api.start();
        caches.start();
        return this;
    }

    /** Selects how InfraEnvs of a namespace are deleted; the default is {@link InfraEnvDeletion#AT_ONCE}. */
    public AssistedServiceSimulator deletes(String namespace, InfraEnvDeletion deletion) {
        backend.behaviour.set(namespace, deletion);
        return this;
    }

    /** Shortens the silence of an agent after which its host counts as disconnected; otherwise three minutes. */
    public AssistedServiceSimulator missesHostsAfter(String namespace, Duration silence) {
        backend.behaviour.missHostsAfter(namespace, silence);
        return this;
    }

    /** The service runs with {@code AUTH_TYPE=none}: agents get no token and need none. */
    public AssistedServiceSimulator withoutAuthentication() {
        api.authenticates(false);
        return this;
    }

    /** Sends the install instructions of the real service: without stages, hostname and node labels. */
    public AssistedServiceSimulator withBareOrders() {
        api.helpsHosts(false);
        return this;
    }

    /**
     * Hosts have no agents: {@link #register} registers them, and the installer installs them. The service reports no
     * state that is left without delay, of validations neither.
     */
    public AssistedServiceSimulator withoutAgents(HostInstaller installer) {
        backend.behaviour.installBy(installer);
        return this;
    }

    /**
     * Registers a host, as its agent does.
     *
     * @param inventory as the agent sends it
     * @return whether it is registered; not before the InfraEnv has been accepted
     */
    public boolean register(Key infraEnv, String hostId, Map<String, Object> inventory) {
        InfraEnv found = caches.of(InfraEnv.class).get(infraEnv);
        Optional<Backend.InfraEnvRecord> accepted = found == null
                ? Optional.empty()
                : backend.infraEnv(found.getMetadata().getUid());
        accepted.ifPresent(record -> backend.register(record, hostId, Inventory.toStatus(inventory)));
        return accepted.isPresent();
    }

    /** Simulates an outage for a namespace: no reconciles and no HTTP responses. */
    public void goDown(String namespace) {
        backend.behaviour.goDown(namespace);
    }

    /** Ends the outage for a namespace; no data is lost. */
    public void comeBack(String namespace) {
        backend.behaviour.comeBack(namespace);
    }

    /** URL of the service, {@code http://127.0.0.1:port}. */
    public String url() {
        return api.url();
    }

    static Optional<Key> clusterOf(Agent agent) {
        String name = Fields.string(agent, "spec", "clusterDeploymentName", "name");
        String namespace = Fields.string(agent, "spec", "clusterDeploymentName", "namespace");
        return name == null
                ? Optional.empty()
                : Optional.of(new Key(namespace == null ? agent.getMetadata().getNamespace() : namespace, name));
    }

    private Collection<Key> infraEnvsOf(Key cluster) {
        return caches.of(InfraEnv.class)
                .list()
                .filter(e -> cluster.equals(InfraEnvController.clusterOf(e)))
                .map(Key::of)
                .toList();
    }

    private Collection<Key> infraEnvsOf(NMStateConfig config) {
        return caches.of(InfraEnv.class)
                .list(config.getMetadata().getNamespace())
                .filter(e -> DiscoveryContent.isFollowed(config, e))
                .map(Key::of)
                .toList();
    }

    /**
     * The Agent's InfraEnv while it is being deleted; otherwise an InfraEnv does not depend on Agents. Older releases
     * ignore Agents in that case.
     */
    private Collection<Key> infraEnvOf(Agent agent) {
        if (backend.behaviour.of(agent.getMetadata().getNamespace()) == InfraEnvDeletion.AFTER_HOSTS) {
            return List.of();
        }
        String name = agent.getMetadata().getLabels() == null
                ? null
                : agent.getMetadata().getLabels().get(InfraEnvController.LABEL);
        Key key = new Key(agent.getMetadata().getNamespace(), String.valueOf(name));
        InfraEnv infraEnv = caches.of(InfraEnv.class).get(key);
        return infraEnv != null && Owned.isDeleting(infraEnv) ? List.of(key) : List.of();
    }

    private static Collection<Key> deploymentOf(GenericKubernetesResource install) {
        String name = Fields.string(install, "spec", "clusterDeploymentRef", "name");
        return name == null ? List.of() : List.of(new Key(install.getMetadata().getNamespace(), name));
    }

    private Collection<Key> usersOf(ClusterImageSet imageSet) {
        return caches.of(AgentClusterInstall.class)
                .list()
                .filter(i -> imageSet.getMetadata().getName().equals(Fields.string(i, "spec", "imageSetRef", "name")))
                .flatMap(i -> deploymentOf(i).stream())
                .toList();
    }

    @Override
    public void close() {
        infraEnvs.close();
        agents.close();
        clusters.close();
        api.close();
        caches.close();
    }
}
