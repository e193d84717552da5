package io.capoa.lab.assisted;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.workload.Workload;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles Agents: creates one for each registered host, accepts its spec, and reports the host in its status. */
final class AgentController {

    private static final String NAMESPACE_LABEL = "agent-install.openshift.io/clusterdeployment-namespace";
    private static final String INVENTORY = "inventory.agent-install.openshift.io/";
    private static final Duration POLL = Duration.ofMillis(200);

    private final Caches.Cache<Agent> agents;
    private final Caches.Cache<InfraEnv> infraEnvs;
    private final Backend backend;
    private final Writes writes;
    private final Owned owned;
    private final ServiceApi api;
    private final Delays delays;
    private final InstalledClusterClient installed = new InstalledClusterClient();
    private final AgentDeletion deletion;
    private final HostChecks checks;

    AgentController(Caches caches, Backend backend, Writes writes, ServiceApi api, Delays delays) {
        this.agents = caches.of(Agent.class);
        this.infraEnvs = caches.of(InfraEnv.class);
        this.backend = backend;
        this.writes = writes;
        this.owned = new Owned(writes);
        this.api = api;
        this.delays = delays;
        this.checks = new HostChecks(backend, delays);
        this.deletion = new AgentDeletion(caches, backend, writes, installed);
    }

    @Nullable
    Duration work(Key key, WorkQueue clusters) throws IOException, InterruptedException {
        Agent agent = agents.get(key);
        HostRecord host = backend.host(key);
        if (host == null) {
            if (agent != null && Owned.isDeleting(agent)) {
                owned.release(agent, Owned.AGENT_FINALIZER);
            }
            return null;
        }
        if (agent == null) {
            absent(host);
            return null;
        }
        String infraEnv =
                backend.infraEnv(host.infraEnvId).map(env -> env.key().name()).orElse("");
        if (Owned.isDeleting(agent)) {
            deletion.proceed(agent, host);
            return null;
        }
        if (infraEnv.isEmpty()) {
            // Its InfraEnv has been deleted: garbage collection will remove the Agent.
            return null;
        }
        Map<String, String> labels = agent.getMetadata().getLabels();
        if (!host.created && !infraEnv.equals(labels == null ? "" : labels.get(InfraEnvController.LABEL))) {
            writes.delete(agent);
            return null;
        }
        host.created = true;
        host.seen = true;
        HostState before = host.state;
        int round = host.round;
        boolean changed = AgentSpec.accept(agent, host);
        SpecSync synced = host.sync;
        Duration retry = conflict(host);
        changed |= !synced.equals(host.sync);
        Duration again = advance(host);
        install(agent, host);
        Duration left = backend.behaviour.isBrief()
                ? null
                : host.missedAfter(backend.behaviour.missedAfter(host.agent.namespace()));
        changed |= before != host.state || round != host.round;
        label(agent, host, infraEnv);
        publish(agent, host);
        Key cluster = host.cluster;
        if (cluster != null && (changed || again == null)) {
            clusters.enqueue(cluster);
        }
        return Stream.of(Optional.ofNullable(again), Optional.ofNullable(retry), Optional.ofNullable(left))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Creates the Agent, or removes the host if its Agent has been deleted. */
    private void absent(HostRecord host) {
        if (host.created) {
            if (host.seen) {
                backend.removeHost(host);
            }
            return;
        }
        Backend.InfraEnvRecord accepted = backend.infraEnv(host.infraEnvId).orElse(null);
        InfraEnv infraEnv = accepted == null ? null : infraEnvs.get(accepted.key());
        if (infraEnv == null || Owned.isDeleting(infraEnv)) {
            backend.removeHost(host);
            return;
        }
        Key cluster = InfraEnvController.clusterOf(infraEnv);
        Map<String, String> labels = new LinkedHashMap<>();
        Fields.map(infraEnv, "spec", "agentLabels").forEach((k, v) -> labels.put(k, String.valueOf(v)));
        labels.put(InfraEnvController.LABEL, infraEnv.getMetadata().getName());
        Agent agent = new Agent();
        agent.setApiVersion("agent-install.openshift.io/v1beta1");
        agent.setKind("Agent");
        agent.setMetadata(new ObjectMetaBuilder()
                .withNamespace(host.agent.namespace())
                .withName(host.agent.name())
                .withLabels(labels)
                .withFinalizers(Owned.AGENT_FINALIZER)
                .withOwnerReferences(
                        backend.behaviour.of(host.agent.namespace()) == InfraEnvDeletion.AT_ONCE
                                ? List.of(Owned.reference(infraEnv))
                                : List.of())
                .build());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("approved", Boolean.TRUE.equals(Fields.any(infraEnv, "spec", "agentApproval", "autoApprove")));
        spec.put("role", "");
        if (cluster != null) {
            spec.put("clusterDeploymentName", Map.of("namespace", cluster.namespace(), "name", cluster.name()));
        }
        agent.setAdditionalProperty("spec", spec);
        host.created = writes.create(agent);
    }

    /** Simulates a write conflict of the service, which the Agent's condition reports until the next round. */
    private @Nullable Duration conflict(HostRecord host) {
        synchronized (host) {
            Instant since = host.conflict;
            if (since == null && !backend.behaviour.isBrief() && backend.behaviour.meetsConflict(host.agent.name())) {
                since = Instant.now();
                host.conflict = since;
            }
            Rounds rounds = rounds(host);
            if (since == null || rounds.isOver(since)) {
                if (host.sync.isBackendError()) {
                    host.sync = AgentSpec.check(host.wish, host.inventory);
                }
                return null;
            }
            host.sync = SpecSync.backendError("failed to update agent " + host.agent
                    + ": Operation cannot be fulfilled on agents.agent-install.openshift.io \""
                    + host.agent.name()
                    + "\": the object has been modified; please apply your changes to the latest version and"
                    + " try again");
            return rounds.left(since);
        }
    }

    /** Advances the checks, and hosts that join a running cluster; the requeue delay, or {@code null}. */
    private @Nullable Duration advance(HostRecord host) throws IOException, InterruptedException {
        Key key = host.cluster;
        ClusterRecord cluster = key == null ? null : backend.cluster(key);
        boolean running = cluster != null && cluster.state == ClusterState.ADDING_HOSTS;
        Duration settling = checks.advance(host, cluster, running);
        if (settling != null) {
            return settling;
        }
        Duration prepared = host.prepared(rounds(host));
        if (prepared != null) {
            return prepared;
        }
        synchronized (host) {
            if (running && host.state == HostState.KNOWN && host.wish.approved() && host.sync.isOk()) {
                host.addedLater = true;
                host.role = InstallInputs.isRole(host.wish.role()) ? host.wish.role() : InstallInputs.WORKER;
                host.stages = Stages.ADDED_LATER;
                host.enter(HostState.INSTALLING);
            } else if (running && host.state == HostState.KNOWN) {
                host.addedLater = true;
            }
        }
        if (running && cluster != null && host.addedLater && host.stage.equals(Stages.REBOOTING)) {
            if (!installed.hasReadyNode(cluster, host.hostname())) {
                return POLL;
            }
            installed.labelNode(cluster, host.hostname(), host.wish.nodeLabels());
            host.progress(Stages.JOINED, "");
            host.progress(Stages.DONE, "");
        }
        return null;
    }

    private Rounds rounds(HostRecord host) {
        return Rounds.of(delays.in(host.agent.namespace()));
    }

    /** Installs the host at once, if it has no agent. */
    private void install(Agent agent, HostRecord host) {
        HostInstaller installer = backend.behaviour.installer();
        ClusterRecord cluster =
                Optional.ofNullable(host.cluster).map(backend::cluster).orElse(null);
        Workload workload = cluster == null ? null : cluster.workload;
        if (installer != null && workload != null && host.state == HostState.INSTALLING) {
            publish(agent, host);
            installer.install(host.agent, host.hostname(), host.wish.nodeLabels(), workload);
            boolean unused = host.progress(Stages.DONE, "");
        }
    }

    private void label(Agent agent, HostRecord host, String infraEnv) {
        Map<String, String> present = agent.getMetadata().getLabels() == null
                ? Map.of()
                : agent.getMetadata().getLabels();
        boolean restored = infraEnv.equals(present.get(InfraEnvController.LABEL));
        if (host.state == HostState.DISCOVERING || (host.labelled && restored)) {
            return;
        }
        Map<String, Object> labels = new LinkedHashMap<>();
        labels.put(InfraEnvController.LABEL, infraEnv);
        labels.put(INVENTORY + "cpu-architecture", "x86_64");
        labels.put(INVENTORY + "host-isvirtual", "false");
        labels.put(INVENTORY + "storage-hasnonrotationaldisk", "true");
        Key cluster = host.cluster;
        if (cluster != null) {
            labels.put(NAMESPACE_LABEL, cluster.namespace());
        }
        writes.patch(agent, Map.of("metadata", Map.of("labels", labels)));
        host.labelled = true;
    }

    private void publish(Agent agent, HostRecord host) {
        if (backend.behaviour.isBrief() && (host.state == HostState.PREPARING || host.state == HostState.PREPARED)) {
            return;
        }
        Map<String, Object> status;
        synchronized (host) {
            status = AgentStatus.of(host, host.published, api);
        }
        if (host.published.differs(status)) {
            writes.patchStatus(agent, status);
            host.published.wrote(status);
        }
    }
}
