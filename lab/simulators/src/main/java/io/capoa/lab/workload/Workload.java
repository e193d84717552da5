package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A simulated OpenShift cluster: its credentials, whether its API is up, its release and its objects. */
public final class Workload {

    /** Identity of a request. */
    enum Caller {
        ADMIN,
        KUBELET,
        ANONYMOUS
    }

    /** Types of the conditions that a kubelet reports. */
    private static final List<String> NODE_CONDITIONS =
            List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String id;
    private final String server;
    private volatile ReleaseVersions release;
    private final Kubeconfigs kubeconfigs;
    private final String adminToken = secret();
    private final String kubeletToken = secret();
    private final String password = secret();
    private final ObjectStore store = new ObjectStore();
    private final Etcd etcd;
    private final CloudControllerManager cloudController;
    private final Set<String> runningControlPlanes = new HashSet<>();

    Workload(String id, String server, ReleaseVersions release, Kubeconfigs kubeconfigs, CloudInstances cloud) {
        this.id = id;
        this.server = server;
        this.release = release;
        this.kubeconfigs = kubeconfigs;
        store.create(Resource.CLUSTER_VERSIONS.path(), ReleaseStatus.clusterVersion(id, release, false));
        for (String operator : List.of("authentication", "console", "etcd", "ingress", "kube-apiserver")) {
            store.create(Resource.CLUSTER_OPERATORS.path(), ReleaseStatus.clusterOperator(operator, release, false));
        }
        etcd = new Etcd(this);
        cloudController = new CloudControllerManager(this, cloud);
    }

    public String id() {
        return id;
    }

    public String server() {
        return server;
    }

    public ReleaseVersions release() {
        return release;
    }

    /** Password of {@code kubeadmin}. */
    public String password() {
        return password;
    }

    /** The administrator's kubeconfig as the installer writes it, before the routers have a certificate. */
    public String kubeconfig() {
        return kubeconfigs.of(server, adminToken, false);
    }

    /** The administrator's kubeconfig, with the CA of the routers. */
    public String kubeconfigWithIngress() {
        return kubeconfigs.of(server, adminToken, true);
    }

    /** The kubeconfig with which a kubelet joins. */
    public String kubeletKubeconfig() {
        return kubeconfigs.of(server, kubeletToken, false);
    }

    /** Reports the release as rolled out. */
    public void complete() {
        update(Resource.CLUSTER_VERSIONS, ReleaseStatus.clusterVersion(id, release, true));
        for (Map<String, Object> operator :
                store.list(Resource.CLUSTER_OPERATORS.path()).items()) {
            update(
                    Resource.CLUSTER_OPERATORS,
                    ReleaseStatus.clusterOperator(ObjectStore.name(operator), release, true));
        }
    }

    /**
     * Starts an upgrade, as {@code oc adm upgrade} does: the release becomes the first entry of the history, in state
     * Partial.
     */
    public void upgrade(ReleaseVersions to) {
        Map<String, Object> version = clusterVersion();
        Map<String, Object> desired = Map.of("version", to.version(), "image", to.image());
        history(version).addFirst(ReleaseStatus.entry(to, false));
        Json.merge(
                version,
                Map.of(
                        "spec",
                        Map.of("desiredUpdate", desired),
                        "status",
                        Map.of("desired", desired, "conditions", ReleaseStatus.conditions(true, true))));
        update(Resource.CLUSTER_VERSIONS, version);
        release = to;
    }

    /** Completes the running upgrade. */
    public void upgraded() {
        Map<String, Object> version = clusterVersion();
        history(version).set(0, ReleaseStatus.entry(release, true));
        Json.merge(version, Map.of("status", Map.of("conditions", ReleaseStatus.conditions(true, false))));
        update(Resource.CLUSTER_VERSIONS, version);
        for (Map<String, Object> operator :
                store.list(Resource.CLUSTER_OPERATORS.path()).items()) {
            update(
                    Resource.CLUSTER_OPERATORS,
                    ReleaseStatus.clusterOperator(ObjectStore.name(operator), release, true));
        }
    }

    private Map<String, Object> clusterVersion() {
        return Json.copy(Objects.requireNonNull(store.get(Resource.CLUSTER_VERSIONS.path(), "version")));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> history(Map<String, Object> version) {
        return (List<Object>) Objects.requireNonNull(Fields.any(version, "status", "history"));
    }

    /** Whether the API is available: a control-plane machine runs and etcd has quorum. */
    public boolean isUp() {
        synchronized (runningControlPlanes) {
            if (runningControlPlanes.isEmpty()) {
                return false;
            }
        }
        return etcd.hasQuorum();
    }

    /** Whether a control-plane machine is powered on. */
    boolean runs(String machine) {
        synchronized (runningControlPlanes) {
            return runningControlPlanes.contains(machine);
        }
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

    void machineOn(String machine, boolean controlPlane) {
        if (controlPlane) {
            synchronized (runningControlPlanes) {
                runningControlPlanes.add(machine);
            }
            etcd.settle();
        }
    }

    /** A machine has lost power; the conditions of its Node become Unknown. */
    void machineOff(String machine) {
        synchronized (runningControlPlanes) {
            runningControlPlanes.remove(machine);
        }
        Map<String, Object> node = store.get(Resource.NODES.path(), machine);
        if (node != null) {
            Map<String, Object> lost = Json.copy(node);
            Json.merge(
                    lost,
                    Map.of(
                            "status",
                            Map.of(
                                    "conditions",
                                    NODE_CONDITIONS.stream()
                                            .map(type -> ReleaseStatus.condition(type, "Unknown", "NodeStatusUnknown"))
                                            .toList())));
            update(Resource.NODES, lost);
        }
        etcd.settle();
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

    Caller caller(String authorization) {
        if (authorization.equals("Bearer " + adminToken)) {
            return Caller.ADMIN;
        }
        return authorization.equals("Bearer " + kubeletToken) ? Caller.KUBELET : Caller.ANONYMOUS;
    }

    ObjectStore store() {
        return store;
    }

    void update(Resource resource, Map<String, Object> object) {
        try {
            ObjectStore.metadata(object).remove("resourceVersion");
            store.replace(resource.path(), object);
        } catch (ObjectStore.Conflict e) {
            throw new IllegalStateException("no version was asked for", e);
        }
    }

    private static String secret() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
