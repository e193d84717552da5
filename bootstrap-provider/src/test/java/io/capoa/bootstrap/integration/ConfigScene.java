package io.capoa.bootstrap.integration;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One namespace with a Cluster "demo" and an ignition server; the test acts as its peers. */
final class ConfigScene extends SceneObjects implements AutoCloseable {

    final IgnitionServer server = new IgnitionServer();
    final ProviderRequests provider = new ProviderRequests(cluster, namespace);
    private final String watchFilter;

    /**
     * Makes the namespace.
     *
     * @param watchFilter watch-filter label of the configs; empty for none
     */
    ConfigScene(TestCluster cluster, String watchFilter) {
        super(cluster);
        this.watchFilter = watchFilter;
    }

    /** Another namespace of the same provider; closed by the caller. */
    ConfigScene another() {
        return new ConfigScene(cluster, watchFilter);
    }

    String watchFilter() {
        return watchFilter;
    }

    /** A Cluster whose installation accepts hosts: the prerequisites of a Machine. */
    ConfigScene ready() {
        return cluster(true).install("insufficient");
    }

    ConfigScene cluster(boolean infrastructureProvisioned) {
        create(Cluster.class, ConfigSamples.CLUSTER);
        return provisioned(infrastructureProvisioned);
    }

    ConfigScene provisioned(boolean infrastructure) {
        status(Cluster.class, "demo", Map.of("initialization", Map.of("infrastructureProvisioned", infrastructure)));
        return this;
    }

    ConfigScene install(String state) {
        create(AgentClusterInstall.class, ConfigSamples.INSTALL);
        installState(state);
        create(ClusterDeployment.class, ConfigSamples.DEPLOYMENT);
        return this;
    }

    ConfigScene installState(String state) {
        status(AgentClusterInstall.class, "demo-cp", Map.of("debugInfo", Map.of("state", state)));
        return this;
    }

    /** The installation is complete, and the cluster accepts further hosts. */
    ConfigScene installed() {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Map<String, Object> completed = Map.of(
                "type",
                "Completed",
                "status",
                "True",
                "reason",
                "InstallationCompleted",
                "message",
                "done",
                "lastProbeTime",
                now,
                "lastTransitionTime",
                now);
        status(
                AgentClusterInstall.class,
                "demo-cp",
                Map.of("debugInfo", Map.of("state", "adding-hosts"), "conditions", List.of(completed)));
        return this;
    }

    /** A worker Machine with its Metal3Machine and its config, as Cluster API creates them. */
    ConfigScene machine(String name, String configSpec) {
        return machine(name, "", ConfigSamples.DISK_IMAGE, configSpec);
    }

    /** A Machine of the control plane. */
    ConfigScene controlPlaneMachine(String name, String configSpec) {
        return machine(name, ", cluster.x-k8s.io/control-plane: ''", ConfigSamples.DISK_IMAGE, configSpec);
    }

    /** A worker Machine whose host boots the live ISO. */
    ConfigScene liveIsoMachine(String name, String configSpec) {
        return machine(name, "", ConfigSamples.LIVE_ISO, configSpec);
    }

    private ConfigScene machine(String name, String labels, String image, String configSpec) {
        String uid = machineAlone(name, labels, image);
        OpenshiftAssistedConfig unused =
                config(name + "-config", labels, ConfigSamples.machineOwner(name, uid), configSpec);
        return this;
    }

    /** Makes a new Machine the owner of an existing config. */
    ConfigScene adopt(String name) {
        String uid = machineAlone(name, "", ConfigSamples.DISK_IMAGE);
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
        String uid = create(Machine.class, ConfigSamples.machine(name, labels))
                .getMetadata()
                .getUid();
        create(Metal3Machine.class, ConfigSamples.metal3Machine(name, uid, image));
        return uid;
    }

    /**
     * A single config.
     *
     * @param owners owner references, a YAML list
     */
    OpenshiftAssistedConfig config(String name, String labels, String owners, String spec) {
        String filter = ", cluster.x-k8s.io/watch-filter: '" + watchFilter + "'";
        return create(OpenshiftAssistedConfig.class, ConfigSamples.config(name, filter + labels, owners, spec));
    }

    /** Acts as Metal3: claims a host for a Machine with bootstrap data. */
    ConfigScene takeHost(String machine) {
        return takeHost(machine, "{}");
    }

    /** The Machine takes a host that had the labels before, so that the provider never sees it without them. */
    ConfigScene takeHost(String machine, String labels) {
        String host = "host-" + machine;
        if (find(BareMetalHost.class, host) == null && find(Metal3Machine.class, machine) != null) {
            create(BareMetalHost.class, ConfigSamples.host(host, labels, namespace, machine));
            edit(
                    Metal3Machine.class,
                    machine,
                    taken -> taken.getMetadata()
                            .setAnnotations(Map.of(Annotations.BARE_METAL_HOST, namespace + "/" + host)));
        }
        return this;
    }

    /** baremetal-operator reports the Machine's host as provisioned now and powered on. */
    ConfigScene provisioned(String machine) {
        return provisioning(machine, "provisioned");
    }

    /** baremetal-operator reports this state of the Machine's host, which is powered on. */
    ConfigScene provisioning(String machine, String state) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        status(
                BareMetalHost.class,
                "host-" + machine,
                Map.of(
                        "operationalStatus",
                        "OK",
                        "errorCount",
                        0,
                        "errorMessage",
                        "",
                        "poweredOn",
                        true,
                        "provisioning",
                        Map.of("ID", "1", "state", state),
                        "operationHistory",
                        Map.of("provision", Map.of("end", now))));
        return this;
    }

    /** Acts as assisted-service: publishes the URLs of an InfraEnv. */
    ConfigScene publishBootMedia(String infraEnv) {
        return publishBootMedia(infraEnv, server);
    }

    /** The same with another download server. */
    ConfigScene publishBootMedia(String infraEnv, IgnitionServer from) {
        return publishBootMedia(infraEnv, from, "SECRET");
    }

    /** The same with another token in the URL. */
    ConfigScene publishBootMedia(String infraEnv, IgnitionServer from, String token) {
        String url = from.url() + "/" + infraEnv + "?api_key=" + token;
        status(InfraEnv.class, infraEnv, Map.of("bootArtifacts", Map.of("discoveryIgnitionURL", url)));
        return this;
    }

    /** A host that booted the InfraEnv's media registers; Metal3 has claimed it before. */
    Agent registerAgent(String name, String infraEnv) {
        return takeHost(infraEnv).report(name, infraEnv);
    }

    /** The Machine's host registers, whether Metal3 reports the claim or not. */
    Agent report(String name, String infraEnv) {
        return report(name, infraEnv, "host-" + infraEnv);
    }

    /** A host registers with its interfaces, and assisted-service creates its Agent for the InfraEnv, if given. */
    Agent report(String name, String infraEnv, String host) {
        Agent unused = register(name, infraEnv);
        inventory(
                name,
                Map.of("interfaces", List.of(port("lo", "00:00:00:00:00:00"), port("eno1", ConfigSamples.mac(host)))));
        return require(Agent.class, name);
    }

    /** A host registers without an inventory. */
    Agent register(String name, String infraEnv) {
        InfraEnv owner = find(InfraEnv.class, infraEnv);
        return create(
                Agent.class, owner == null ? ConfigSamples.agent(name, infraEnv) : ConfigSamples.agentOf(owner, name));
    }

    static Map<String, Object> port(String name, String mac) {
        return Map.of(
                "name",
                name,
                "macAddress",
                mac,
                "flags",
                List.of(),
                "ipV4Addresses",
                List.of(),
                "ipV6Addresses",
                List.of());
    }

    /** The host reports additional hardware. */
    void inventory(String agent, Map<String, Object> reported) {
        Map<String, Object> status = new HashMap<>(Fields.map(require(Agent.class, agent), "status"));
        Map<String, Object> inventory = new HashMap<>(Fields.map(require(Agent.class, agent), "status", "inventory"));
        inventory.putAll(reported);
        status.putIfAbsent("debugInfo", Map.of("state", "known"));
        status.put("inventory", inventory);
        status(Agent.class, agent, status);
    }

    /** assisted-service reports state and one condition of an Agent. */
    ConfigScene agent(String name, String state, String type, String status, String reason, String message) {
        Map<String, Object> next = new HashMap<>(Fields.map(require(Agent.class, name), "status"));
        next.put("debugInfo", Map.of("state", state));
        next.put("conditions", List.of(Map.of("type", type, "status", status, "reason", reason, "message", message)));
        status(Agent.class, name, next);
        return this;
    }

    /** Takes a Machine to its bootstrap data. */
    ConfigScene withData(String machine) {
        awaitInfraEnv(machine);
        publishBootMedia(machine);
        awaitCondition(machine, "DataSecretAvailable", "True/DataSecretAvailable");
        return this;
    }

    /** Takes a Machine to its approved Agent. */
    ConfigScene withAgent(String machine, String agent) {
        withData(machine);
        Agent unused = registerAgent(agent, machine);
        soon(agent + " approved").until(() -> approved(agent));
        awaitCondition(machine, "AgentApproved", "True/AgentApproved");
        return this;
    }

    /** Takes a Machine to the installed host. */
    ConfigScene withNode(String machine, String agent) {
        withAgent(machine, agent);
        agent(agent, "installed", "Installed", "True", "InstallationCompleted", "done");
        awaitCondition(machine, "Ready", "True/Ready");
        return this;
    }

    void pause(boolean paused) {
        edit(Cluster.class, "demo", demo -> Fields.map(demo, "spec").put("paused", paused));
    }

    boolean approved(String agent) {
        Agent found = find(Agent.class, agent);
        return found != null && Fields.isTrue(found, "spec", "approved");
    }

    void awaitInfraEnv(String name) {
        soon("InfraEnv " + name).until(() -> find(InfraEnv.class, name) != null);
    }

    @Override
    public void close() {
        server.close();
    }
}
