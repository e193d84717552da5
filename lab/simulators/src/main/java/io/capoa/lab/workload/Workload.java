package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Delays;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A simulated OpenShift cluster: its credentials, whether its API is up, its release and its objects. */
public final class Workload {

    private final String id;
    private final String server;
    private final Credentials credentials;
    private final ObjectStore store = new ObjectStore();
    private final KubeApiServers apiServers = new KubeApiServers(this);
    private final Etcd etcd;
    private final CloudControllerManager cloudController;
    private final Upgrades upgrades;
    private final RunningMachines running;
    private volatile long interruptedUntil = System.nanoTime();
    private volatile Consumer<String> requests = request -> {};
    private final Map<String, ClientUse> clients = new ConcurrentHashMap<>();
    private volatile Tampering tampering = Tampering.NONE;

    Workload(
            String id,
            String server,
            ReleaseVersions release,
            Kubeconfigs kubeconfigs,
            CloudInstances cloud,
            Upgrades.Environment environment) {
        this.id = id;
        this.server = server;
        credentials = new Credentials(server, kubeconfigs);
        running = new RunningMachines(this, environment.delays().get(Delays.Of.GRACE), environment.executor());
        etcd = new Etcd(this);
        cloudController = new CloudControllerManager(this, cloud);
        upgrades = new Upgrades(this, release, environment);
    }

    public String id() {
        return id;
    }

    public String server() {
        return server;
    }

    /** The release that the cluster runs, or is being updated to. */
    public ReleaseVersions release() {
        return upgrades.release();
    }

    /** Password of {@code kubeadmin}. */
    public String password() {
        return credentials.password();
    }

    /**
     * The administrator's kubeconfig as the installer writes it, before the routers have a certificate: with a client
     * certificate and its key.
     */
    public String kubeconfig() {
        return credentials.kubeconfig(false);
    }

    /** The administrator's kubeconfig, with the CA of the routers. */
    public String kubeconfigWithIngress() {
        return credentials.kubeconfig(true);
    }

    /** The kubeconfig with which a kubelet joins. */
    public String kubeletKubeconfig() {
        return credentials.kubeletKubeconfig();
    }

    /**
     * A client of the lab's own, with the rights of the administrator. It has a token: with a client certificate each
     * cluster would need an HTTP client, and thereby a thread.
     */
    public WorkloadApi api() throws IOException {
        return WorkloadApi.of(credentials.labKubeconfig());
    }

    /** Calls the listener with method and path of each request from now on, such as {@code GET /api/v1/nodes}. */
    public void onRequest(Consumer<String> listener) {
        requests = listener;
    }

    /** Changes the answers to the administrator from now on. */
    public void tamper(Tampering with) {
        tampering = with;
    }

    Tampering tampering() {
        return tampering;
    }

    void received(String request, String userAgent, int port) {
        clients.computeIfAbsent(userAgent.split("/", 2)[0], client -> new ClientUse())
                .add(request, port);
        requests.accept(request);
    }

    /** What a client has asked for, by the name in its user agent. */
    public ClientUse use(String client) {
        return clients.getOrDefault(client, new ClientUse()).copy();
    }

    /** Reports the release as rolled out. */
    public void complete() {
        upgrades.complete();
    }

    /**
     * Starts an upgrade that no request asks for; it stays in progress until {@link #upgraded}. The release becomes the
     * first entry of the history, in state Partial.
     */
    public void upgrade(ReleaseVersions to) {
        change(Resource.CLUSTER_VERSIONS, ClusterVersionObject.NAME, version -> {
            Map<String, Object> desired = Map.of("version", to.version(), "image", to.image());
            Json.merge(version, Map.of("spec", Map.of("desiredUpdate", desired)));
            return version;
        });
        upgrades.start(to);
    }

    /** Completes the upgrade that {@link #upgrade} started. */
    public void upgraded() {
        upgrades.complete();
    }

    Upgrades upgrades() {
        return upgrades;
    }

    /** Whether the API is available: a control-plane machine runs and etcd has quorum. */
    public boolean isUp() {
        return hasApiServer() && etcd.hasQuorum();
    }

    /** Whether an API server runs; without a quorum of etcd it only answers that it is not ready. */
    boolean hasApiServer() {
        return running.serveApi();
    }

    /** How often etcd lost its leader, which all writes wait for. */
    public int elections() {
        return etcd.elections();
    }

    /** Whether a control-plane machine is powered on, and does not reboot. */
    boolean runs(String machine) {
        return running.runs(machine);
    }

    /** Each moment at which etcd had lost its majority, as healthy members of voters, such as {@code 1/3}. */
    public List<String> lostMajorities() {
        return etcd.lostMajorities();
    }

    /** Each change of etcd so far, the present state last. A test that polls may miss one. */
    public List<EtcdChange> etcdHistory() {
        return etcd.history();
    }

    /** Whether a machine has lost power. */
    boolean isPoweredOff(String machine) {
        return running.isOff(machine);
    }

    /** Whether connections to the API break at present, because one of its servers restarts. */
    boolean isInterrupted() {
        return System.nanoTime() - interruptedUntil < 0;
    }

    /** Breaks all connections to the API for that time; does nothing if the ClusterVersion asks for none. */
    void interrupt(Duration time) {
        Map<String, Object> version = store.get(Resource.CLUSTER_VERSIONS.path(), ClusterVersionObject.NAME);
        boolean off = version != null && "off".equals(UpgradeFaults.annotation(version, UpgradeFaults.BLIPS));
        if (!off && !time.isZero()) {
            interruptedUntil = System.nanoTime() + time.toNanos();
            store.disconnect();
        }
    }

    /** A machine reboots: its Node is not ready, and a control-plane machine's pods do not run. */
    void reboot(String machine, Duration time) {
        if (running.shutDown(machine)) {
            interrupt(time.dividedBy(Upgrades.BLIP));
            etcd.settle();
        }
    }

    /** The machine is up again. */
    void rebooted(String machine) {
        running.rebooted(machine);
        etcd.settle();
    }

    KubeApiServers apiServers() {
        return apiServers;
    }

    Etcdctl etcdctl() {
        return new Etcdctl(etcd);
    }

    /** Whether a control-plane Machine of the cluster's own Machine API is Running. */
    boolean hasMachineApi() {
        return store.list(Resource.MACHINES.path()).items().stream()
                .anyMatch(machine -> "Running".equals(Fields.any(machine, "status", "phase")));
    }

    /**
     * Creates a Machine of the cluster's own Machine API for every control-plane node, as an installation for platform
     * baremetal does: the etcd operator then manages members by these.
     */
    public void withMachineApi() {
        for (Map<String, Object> node : store.list(Resource.NODES.path()).items()) {
            String name = ObjectStore.name(node);
            Map<String, Object> metadata = new LinkedHashMap<>();
            metadata.put("name", id + "-" + name);
            metadata.put("namespace", "openshift-machine-api");
            metadata.put("labels", Map.of("machine.openshift.io/cluster-api-machine-role", "master"));
            metadata.put("finalizers", List.of("machine.machine.openshift.io"));
            Map<String, Object> machine = new LinkedHashMap<>();
            machine.put("apiVersion", Resource.MACHINES.apiVersion());
            machine.put("kind", Resource.MACHINES.kind());
            machine.put("metadata", metadata);
            machine.put(
                    "status",
                    Map.of(
                            "phase", "Running",
                            "nodeRef", Map.of("kind", "Node", "name", name),
                            "addresses", List.of(Map.of("type", "InternalIP", "address", Etcd.address(node)))));
            store.create(Resource.MACHINES.path(), Json.copy(machine));
        }
        etcd.settle();
    }

    void machineOn(String machine, String role) {
        if (role.equals(PoolObject.ARBITER)) {
            upgrades.addPool(role);
        }
        running.on(machine, role);
        if (!role.equals(PoolObject.WORKER)) {
            etcd.settle();
        }
        upgrades.settleSoon();
    }

    /**
     * A control-plane machine is powered on, and its kubelet joins: what else takes two calls of the API.
     *
     * @param node the Node, by the version of its kubelet
     */
    public void join(String machine, Function<String, Map<String, Object>> node) {
        machineOn(machine, PoolObject.MASTER);
        store.create(Resource.NODES.path(), node.apply(upgrades.kubeletVersion(machine, PoolObject.MASTER)));
        nodesChanged();
        upgrades.settleSoon();
    }

    /** A machine has lost power; the conditions of its Node become Unknown after the grace period. */
    void machineOff(String machine) {
        running.off(machine);
        etcd.settle();
        upgrades.settleSoon();
    }

    /** A Node was created, changed or deleted. */
    void nodesChanged() {
        etcd.settle();
        cloudController.settle();
    }

    /** Applies the user's manifests, as the installer does; of these, Deployments are simulated. */
    public void apply(Collection<Map<String, Object>> manifests) {
        manifests.stream()
                .filter(manifest -> "Deployment".equals(manifest.get("kind")))
                .forEach(deployment -> store.create(Resource.DEPLOYMENTS.path(), Json.copy(deployment)));
        cloudController.settle();
    }

    /** Whether every Node takes pods: a cloud controller manager has removed its taint, if it had one. */
    public boolean isInitialized() {
        return store.list(Resource.NODES.path()).items().stream().noneMatch(CloudControllerManager::isUninitialized);
    }

    Credentials credentials() {
        return credentials;
    }

    ObjectStore store() {
        return store;
    }

    /** Creates and updates the mirror pods of a namespace, and removes its others. */
    void publishPods(String namespace, List<Map<String, Object>> pods) {
        Set<String> names = pods.stream().map(ObjectStore::name).collect(Collectors.toSet());
        store.list(Resource.PODS.path()).items().stream()
                .filter(pod -> namespace.equals(Fields.any(pod, "metadata", "namespace")))
                .map(ObjectStore::name)
                .filter(name -> !names.contains(name))
                .toList()
                .forEach(name -> store.remove(Resource.PODS.path(), name));
        for (Map<String, Object> pod : pods) {
            if (store.create(Resource.PODS.path(), pod) == null) {
                update(Resource.PODS, pod);
            }
        }
    }

    void update(Resource resource, Map<String, Object> object) {
        try {
            ObjectStore.metadata(object).remove("resourceVersion");
            store.replace(resource.path(), object);
        } catch (ObjectStore.Conflict e) {
            throw new IllegalStateException("no version was asked for", e);
        }
    }

    /** Changes an object in one step, if it exists. */
    void change(Resource resource, String name, UnaryOperator<Map<String, Object>> change) {
        try {
            store.change(resource.path(), name, change::apply);
        } catch (ObjectStore.Rejected e) {
            throw new IllegalStateException("a change of a stored object was rejected", e);
        }
    }
}
