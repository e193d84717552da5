package io.capoa.lab.light;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.assisted.AssistedServiceSimulator;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.host.NodeObject;
import io.capoa.lab.host.ReportedHardware;
import io.capoa.lab.metal3.DirectProvisioning;
import io.capoa.lab.metal3.HostHardware;
import io.capoa.lab.metal3.Metal3;
import io.capoa.lab.metal3.Metal3Machine;
import io.capoa.lab.workload.Workload;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a Machine with its config, its Metal3Machine and its host: the host is provisioned and boots as soon as
 * there is bootstrap data, and the Machine has its Node when the control plane is initialized.
 */
final class LightMachine {

    private static final List<String> NODE_INFO = List.of(
            "architecture",
            "bootID",
            "containerRuntimeVersion",
            "kernelVersion",
            "kubeProxyVersion",
            "kubeletVersion",
            "machineID",
            "operatingSystem",
            "osImage",
            "systemUUID");

    private static final String MASTER = "node-role.kubernetes.io/master";

    /**
     * What a host is, by the key of its Agent, from its boot on.
     *
     * @param machine key of its Machine
     */
    private record Booted(Key machine, BareMetalHost host, String providerId) {}

    /** What is watched. */
    record Sources(
            Caches.Cache<Machine> machines,
            Caches.Cache<Cluster> clusters,
            Caches.Cache<Metal3Machine> metal3Machines,
            Caches.Cache<BootstrapConfig> configs,
            Caches.Cache<ControlPlane> controlPlanes) {}

    private final Sources sources;
    private final DirectProvisioning provisioning;
    private final AssistedServiceSimulator service;
    private final Writes writes;
    private final Map<Key, Booted> booted = new ConcurrentHashMap<>();

    /** Nodes by the key of their Machine. */
    private final Map<Key, Map<String, Object>> nodes = new ConcurrentHashMap<>();

    private final Consumer<Key> joined;

    /** @param joined called with the key of a Machine whose Node has joined */
    LightMachine(
            Sources sources,
            DirectProvisioning provisioning,
            AssistedServiceSimulator service,
            Writes writes,
            Consumer<Key> joined) {
        this.sources = sources;
        this.provisioning = provisioning;
        this.service = service;
        this.writes = writes;
        this.joined = joined;
    }

    @Nullable
    Duration reconcile(Key key) {
        Machine machine = sources.machines.get(key);
        if (machine == null) {
            return null;
        }
        Cluster cluster = sources.clusters.get(referred(machine, "spec", "clusterName"));
        BootstrapConfig config = sources.configs.get(referred(machine, "spec", "bootstrap", "configRef", "name"));
        Metal3Machine metal3Machine =
                sources.metal3Machines.get(referred(machine, "spec", "infrastructureRef", "name"));
        if (cluster == null || config == null || metal3Machine == null) {
            return null;
        }
        OwnerReference owner = LightPeers.controller(machine);
        BootstrapConfig unused = own(config, owner, cluster);
        Metal3Machine owned = own(metal3Machine, owner, cluster);
        String secret = Fields.isTrue(config, "status", "initialization", "dataSecretCreated")
                ? Fields.string(config, "status", "dataSecretName")
                : null;
        if (secret != null) {
            Machine started = start(machine, secret);
            provisioning
                    .provision(owned, started, cluster, secret)
                    .ifPresent(host -> bootAndJoin(started, cluster, owned, host));
        }
        return null;
    }

    private Machine start(Machine machine, String secret) {
        WorkingCopy<Machine> working = new WorkingCopy<>(machine);
        working.set(secret, "spec", "bootstrap", "dataSecretName");
        working.set(true, "status", "initialization", "bootstrapDataSecretCreated");
        if (working.get("status", "phase") == null) {
            working.set("Provisioning", "status", "phase");
        }
        return working.write(writes);
    }

    private void bootAndJoin(Machine machine, Cluster cluster, Metal3Machine owned, BareMetalHost host) {
        Key key = Key.of(machine);
        boot(key, host, Metal3.providerId(host, owned));
        Map<String, Object> node = nodes.get(key);
        if (node != null) {
            Metal3Machine latest = sources.metal3Machines.get(Key.of(owned));
            Metal3Machine provisioned = provisioning.finish(latest == null ? owned : latest, host);
            ControlPlane controlPlane = sources.controlPlanes.get(referred(cluster, "spec", "controlPlaneRef", "name"));
            boolean initialized = controlPlane != null && LightPeers.isInitialized(controlPlane);
            report(machine, provisioned, initialized ? node : null);
        }
    }

    /** The host's agent registers it; its InfraEnv has the Machine's name. */
    private void boot(Key machine, BareMetalHost host, String providerId) {
        String id = HostHardware.id(host);
        Key agent = new Key(machine.namespace(), id);
        if (booted.putIfAbsent(agent, new Booted(machine, host, providerId)) == null
                && !service.register(machine, id, ReportedHardware.inventory(host, HostHardware.of(host)))) {
            booted.remove(agent);
            throw new IllegalStateException("InfraEnv " + machine + " is not accepted");
        }
    }

    /** The installation of a host: its Node joins. */
    void install(Key agent, String hostname, Map<String, Object> nodeLabels, Workload workload) {
        Booted host = booted.get(agent);
        if (host == null) {
            throw new IllegalStateException("no host of Agent " + agent + " has booted");
        }
        workload.join(hostname, version -> {
            Map<String, Object> node = node(host, hostname, nodeLabels, version);
            nodes.put(host.machine, node);
            return node;
        });
        joined.accept(host.machine);
    }

    private static Map<String, Object> node(
            Booted host, String hostname, Map<String, Object> nodeLabels, String version) {
        Map<String, Object> labels = new LinkedHashMap<>();
        labels.put("kubernetes.io/hostname", hostname);
        labels.put("kubernetes.io/arch", "amd64");
        labels.put("kubernetes.io/os", "linux");
        labels.put("node-role.kubernetes.io/control-plane", "");
        labels.put(MASTER, "");
        labels.put("node.openshift.io/os_id", "rhel");
        labels.put(Metal3.UUID_LABEL, host.host.getMetadata().getUid());
        labels.putAll(nodeLabels);
        return NodeObject.of(
                hostname,
                labels,
                Map.of("providerID", host.providerId, "taints", List.of(Map.of("key", MASTER, "effect", "NoSchedule"))),
                List.of(HostHardware.address(host.host)),
                version);
    }

    /** @param node its Node once the control plane is initialized, else {@code null} */
    private void report(Machine machine, Metal3Machine provisioned, @Nullable Map<String, Object> node) {
        WorkingCopy<Machine> working = new WorkingCopy<>(machine);
        working.set(Fields.string(provisioned, "spec", "providerID"), "spec", "providerID");
        working.set(Fields.list(provisioned, "status", "addresses"), "status", "addresses");
        working.set(true, "status", "initialization", "infrastructureProvisioned");
        working.condition("InfrastructureReady", "True", "InfrastructureReady", "");
        if (node != null) {
            working.set(Fields.text(node, "metadata", "name"), "status", "nodeRef", "name");
            working.set(nodeInfo(node), "status", "nodeInfo");
            working.set("Running", "status", "phase");
            for (String type : List.of("NodeHealthy", "Ready", "Available")) {
                working.condition(type, "True", type, "");
            }
        }
        working.write(writes);
    }

    /** With the fields that Cluster API's schema requires. */
    private static Map<String, Object> nodeInfo(Map<String, Object> node) {
        Map<String, Object> info = new TreeMap<>();
        NODE_INFO.forEach(field -> info.put(field, ""));
        Fields.map((Object) node, "status", "nodeInfo")
                .forEach((field, value) -> info.put(String.valueOf(field), String.valueOf(value)));
        return info;
    }

    private <R extends GenericKubernetesResource> R own(R object, OwnerReference owner, Cluster cluster) {
        return new WorkingCopy<>(object)
                .withoutOwners(other -> !owner.getUid().equals(other.get("uid")))
                .owner(owner)
                .label(LightPeers.CLUSTER_NAME, cluster.getMetadata().getName())
                .write(writes);
    }

    private static Key referred(GenericKubernetesResource object, String... path) {
        return new Key(object.getMetadata().getNamespace(), String.valueOf(Fields.string(object, path)));
    }
}
