package io.capoa.lab.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** One namespace with a Cluster "demo" whose neighbours do what the test says, and an ignition server. */
final class Scene implements AutoCloseable {

    /** Longer than a status is held back while it changes. */
    private static final Duration REST = Duration.ofMillis(1200);

    /** Garbage collection learns of new kinds every 30 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final TestCluster cluster;
    final String namespace = "ab-" + UUID.randomUUID().toString().substring(0, 8);
    final IgnitionServer server = new IgnitionServer();
    private final String watchFilter;
    private final AuditLog.@Nullable Mark begin;

    /**
     * Makes the namespace.
     *
     * @param watchFilter label value of the configs, which chooses who looks after them; empty for none
     */
    Scene(TestCluster cluster, String watchFilter) {
        this.cluster = cluster;
        this.watchFilter = watchFilter;
        begin = cluster.auditLog().map(AuditLog::mark).orElse(null);
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    /** A namespace more, looked after by the same provider; closed by the caller. */
    Scene another() {
        return new Scene(cluster, watchFilter);
    }

    String watchFilter() {
        return watchFilter;
    }

    /** A Cluster whose installation takes hosts: all that a Machine needs. */
    Scene ready() {
        return cluster(true).install("insufficient");
    }

    Scene cluster(boolean infrastructureProvisioned) {
        create(Cluster.class, Samples.CLUSTER);
        return provisioned(infrastructureProvisioned);
    }

    Scene provisioned(boolean infrastructure) {
        status(Cluster.class, "demo", Map.of("initialization", Map.of("infrastructureProvisioned", infrastructure)));
        return this;
    }

    Scene install(String state) {
        create(AgentClusterInstall.class, Samples.INSTALL);
        installState(state);
        create(ClusterDeployment.class, Samples.DEPLOYMENT);
        return this;
    }

    Scene installState(String state) {
        status(AgentClusterInstall.class, "demo-cp", Map.of("debugInfo", Map.of("state", state)));
        return this;
    }

    /** A worker Machine with its Metal3Machine and its config, as Cluster API leaves them. */
    Scene machine(String name, String configSpec) {
        return machine(name, "", Samples.DISK_IMAGE, configSpec);
    }

    /** A Machine of the control plane. */
    Scene controlPlaneMachine(String name, String configSpec) {
        return machine(name, ", cluster.x-k8s.io/control-plane: ''", Samples.DISK_IMAGE, configSpec);
    }

    /** A worker Machine whose host boots the live ISO. */
    Scene liveIsoMachine(String name, String configSpec) {
        return machine(name, "", Samples.LIVE_ISO, configSpec);
    }

    private Scene machine(String name, String labels, String image, String configSpec) {
        String uid = machineAlone(name, labels, image);
        OpenshiftAssistedConfig unused = config(name + "-config", labels, Samples.machineOwner(name, uid), configSpec);
        return this;
    }

    /** Makes a new Machine the owner of a config that is there. */
    Scene adopt(String name) {
        String uid = machineAlone(name, "", Samples.DISK_IMAGE);
        edit(
                OpenshiftAssistedConfig.class,
                name + "-config",
                config -> config.getMetadata()
                        .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                                .withApiVersion("cluster.x-k8s.io/v1beta2")
                                .withKind("Machine")
                                .withName(name)
                                .withUid(uid)
                                .withController(true)
                                .build())));
        return this;
    }

    private String machineAlone(String name, String labels, String image) {
        String uid = create(Machine.class, Samples.machine(name, labels))
                .getMetadata()
                .getUid();
        create(Metal3Machine.class, Samples.metal3Machine(name, uid, image));
        return uid;
    }

    /**
     * A config by itself.
     *
     * @param owners owner references, a YAML list
     */
    OpenshiftAssistedConfig config(String name, String labels, String owners, String spec) {
        String filter = ", cluster.x-k8s.io/watch-filter: '" + watchFilter + "'";
        return create(OpenshiftAssistedConfig.class, Samples.config(name, filter + labels, owners, spec));
    }

    /** What Metal3 does for a Machine that has its data: takes a host for it. */
    Scene takeHost(String machine) {
        String host = "host-" + machine;
        if (find(BareMetalHost.class, host) == null && find(Metal3Machine.class, machine) != null) {
            create(BareMetalHost.class, Samples.host(host, machine));
            edit(
                    Metal3Machine.class,
                    machine,
                    taken -> taken.getMetadata()
                            .setAnnotations(Map.of(Annotations.BARE_METAL_HOST, namespace + "/" + host)));
        }
        return this;
    }

    /** What assisted-service does when it has seen an InfraEnv. */
    Scene publishBootMedia(String infraEnv) {
        return publishBootMedia(infraEnv, server);
    }

    /** The same with another server to download from. */
    Scene publishBootMedia(String infraEnv, IgnitionServer from) {
        String url = from.url() + "/" + infraEnv + "?api_key=SECRET";
        status(InfraEnv.class, infraEnv, Map.of("bootArtifacts", Map.of("discoveryIgnitionURL", url)));
        return this;
    }

    /** A host that booted the InfraEnv's media reports; Metal3 has taken it before. */
    Agent registerAgent(String name, String infraEnv) {
        return takeHost(infraEnv).create(Agent.class, Samples.agent(name, infraEnv));
    }

    /** What assisted-service says of an Agent: its state, and one condition. */
    Scene agent(String name, String state, String type, String status, String reason, String message) {
        status(
                Agent.class,
                name,
                Map.of(
                        "debugInfo",
                        Map.of("state", state),
                        "conditions",
                        List.of(Map.of("type", type, "status", status, "reason", reason, "message", message))));
        return this;
    }

    /** Takes a Machine as far as its bootstrap data. */
    Scene withData(String machine) {
        awaitInfraEnv(machine);
        publishBootMedia(machine);
        awaitCondition(machine, "DataSecretAvailable", "True/DataSecretAvailable");
        return this;
    }

    /** Takes a Machine as far as its approved Agent. */
    Scene withAgent(String machine, String agent) {
        withData(machine);
        Agent unused = registerAgent(agent, machine);
        await(agent + " approved").until(() -> approved(agent));
        awaitCondition(machine, "AgentApproved", "True/AgentApproved");
        return this;
    }

    /** Takes a Machine to the end. */
    Scene withNode(String machine, String agent) {
        withAgent(machine, agent);
        agent(agent, "installed", "Installed", "True", "InstallationCompleted", "done");
        awaitCondition(machine, "Ready", "True/Ready");
        return this;
    }

    <R extends HasMetadata> R create(Class<R> kind, String yaml) {
        R resource = Serialization.unmarshal(yaml, kind);
        resource.getMetadata().setNamespace(namespace);
        return cluster.admin().resource(resource).create();
    }

    <R extends GenericKubernetesResource> void status(Class<R> kind, String name, Map<String, Object> status) {
        R resource = require(kind, name);
        resource.setAdditionalProperty("status", status);
        R unused = cluster.admin().resource(resource).updateStatus();
    }

    <R extends HasMetadata> void edit(Class<R> kind, String name, Consumer<R> change) {
        R unused = cluster.admin()
                .resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .edit(resource -> {
                    change.accept(resource);
                    return resource;
                });
    }

    void pause(boolean paused) {
        edit(Cluster.class, "demo", demo -> Fields.map(demo, "spec").put("paused", paused));
    }

    <R extends HasMetadata> void finalizers(Class<R> kind, String name, String... finalizers) {
        edit(kind, name, resource -> resource.getMetadata().setFinalizers(List.of(finalizers)));
    }

    <R extends HasMetadata> @Nullable R find(Class<R> kind, String name) {
        return cluster.admin()
                .resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    <R extends HasMetadata> R require(Class<R> kind, String name) {
        return Objects.requireNonNull(find(kind, name), () -> kind.getSimpleName() + " " + name);
    }

    <R extends HasMetadata> void delete(Class<R> kind, String name) {
        var unused = cluster.admin()
                .resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .delete();
    }

    @Nullable
    Secret secret(String name) {
        return find(Secret.class, name);
    }

    boolean approved(String agent) {
        Agent found = find(Agent.class, agent);
        return found != null && Fields.isTrue(found, "spec", "approved");
    }

    void awaitInfraEnv(String name) {
        soon("InfraEnv " + name).until(() -> find(InfraEnv.class, name) != null);
    }

    <R extends HasMetadata> void awaitGone(Class<R> kind, String name) {
        soon(kind.getSimpleName() + " " + name + " gone").until(() -> find(kind, name) == null);
    }

    void awaitCondition(String machine, String type, String value) {
        soon(type + " " + value)
                .untilAsserted(() -> assertThat(condition(machine, type)).isEqualTo(value));
    }

    static ConditionFactory soon(String what) {
        return await(what).pollInterval(Duration.ofMillis(50)).atMost(PATIENCE);
    }

    /** {@code status/reason} of a config's condition, empty when it has none. */
    String condition(String machine, String type) {
        Condition condition = conditionOf(machine, type);
        return condition == null ? "" : condition.status() + "/" + condition.reason();
    }

    String message(String machine, String type) {
        Condition condition = conditionOf(machine, type);
        return condition == null ? "" : condition.message();
    }

    private @Nullable Condition conditionOf(String machine, String type) {
        OpenshiftAssistedConfig config = find(OpenshiftAssistedConfig.class, machine + "-config");
        return config == null
                        || config.getStatus() == null
                        || config.getStatus().conditions() == null
                ? null
                : config.getStatus().conditions().stream()
                        .filter(c -> c.type().equals(type))
                        .findFirst()
                        .orElse(null);
    }

    /** Where the audit log stood when the scene began. */
    AuditLog.Mark begin() {
        assumeTrue(begin != null, "this kind of cluster keeps no audit log that tests can read");
        return Objects.requireNonNull(begin);
    }

    /** What the provider has asked of the API server in this namespace, watches aside. */
    List<AuditEntry> requests() {
        AuditLog.Mark mark = begin();
        String user = cluster.userName(KnownUsers.BOOTSTRAP_PROVIDER);
        return cluster.auditLog().orElseThrow().since(mark).stream()
                .filter(entry -> entry.user().equals(user) && entry.namespace().equals(namespace))
                .filter(entry -> !entry.verb().equals("watch"))
                .toList();
    }

    /** What it has written there. */
    List<AuditEntry> writes() {
        return requests().stream().filter(AuditEntry::isWrite).toList();
    }

    /** What it has written to objects of that sort, such as {@code agents}. */
    List<AuditEntry> writes(String resource, String subresource) {
        return writes().stream()
                .filter(entry ->
                        entry.resource().equals(resource) && entry.subresource().equals(subresource))
                .toList();
    }

    /** Returns when nothing has been asked for a while. */
    void awaitRest() {
        long[] seen = {-1, System.nanoTime()};
        soon("rest").until(() -> {
            int now = requests().size();
            if (now != seen[0]) {
                seen[0] = now;
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > REST.toNanos();
        });
    }

    @Override
    public void close() {
        server.close();
    }
}
