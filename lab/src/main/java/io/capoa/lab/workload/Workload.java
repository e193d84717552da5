package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One OpenShift cluster: who may speak to it, whether its API answers, and what it is running. */
public final class Workload {

    /** Who a request comes from. */
    enum Caller {
        ADMIN,
        KUBELET,
        NOBODY
    }

    /** What a kubelet reports of its node. */
    private static final List<String> NODE_CONDITIONS =
            List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String id;
    private final String server;
    private volatile Release release;
    private final Kubeconfigs kubeconfigs;
    private final String adminToken = secret();
    private final String kubeletToken = secret();
    private final String password = secret();
    private final ObjectStore store = new ObjectStore();
    private final Etcd etcd;
    private final Set<String> runningControlPlanes = new HashSet<>();

    Workload(String id, String server, Release release, Kubeconfigs kubeconfigs) {
        this.id = id;
        this.server = server;
        this.release = release;
        this.kubeconfigs = kubeconfigs;
        store.create(Resource.CLUSTER_VERSIONS.path(), clusterVersion(false));
        for (String operator : List.of("authentication", "console", "etcd", "ingress", "kube-apiserver")) {
            store.create(Resource.CLUSTER_OPERATORS.path(), clusterOperator(operator, false));
        }
        etcd = new Etcd(this);
    }

    public String id() {
        return id;
    }

    public String server() {
        return server;
    }

    public Release release() {
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

    /** The administrator's kubeconfig that trusts the routers too. */
    public String kubeconfigWithIngress() {
        return kubeconfigs.of(server, adminToken, true);
    }

    /** What a kubelet joins with. */
    public String kubeletKubeconfig() {
        return kubeconfigs.of(server, kubeletToken, false);
    }

    /** The cluster version operator has rolled out everything. */
    public void complete() {
        update(Resource.CLUSTER_VERSIONS, clusterVersion(true));
        for (Map<String, Object> operator :
                store.list(Resource.CLUSTER_OPERATORS.path()).items()) {
            update(Resource.CLUSTER_OPERATORS, clusterOperator(ObjectStore.name(operator), true));
        }
    }

    /**
     * An administrator has upgraded the cluster with {@code oc adm upgrade}: the history has the release first, as an entry
     * in progress, and the rest as it was.
     */
    public void upgrade(Release to) {
        Map<String, Object> version = clusterVersion();
        Map<String, Object> desired = Map.of("version", to.version(), "image", to.image());
        history(version).addFirst(entry(to, false));
        Json.merge(
                version,
                Map.of(
                        "spec",
                        Map.of("desiredUpdate", desired),
                        "status",
                        Map.of("desired", desired, "conditions", conditions(true, true))));
        update(Resource.CLUSTER_VERSIONS, version);
        release = to;
    }

    /** The upgrade that runs has come to its end. */
    public void upgraded() {
        Map<String, Object> version = clusterVersion();
        history(version).set(0, entry(release, true));
        Json.merge(version, Map.of("status", Map.of("conditions", conditions(true, false))));
        update(Resource.CLUSTER_VERSIONS, version);
        for (Map<String, Object> operator :
                store.list(Resource.CLUSTER_OPERATORS.path()).items()) {
            update(Resource.CLUSTER_OPERATORS, clusterOperator(ObjectStore.name(operator), true));
        }
    }

    private Map<String, Object> clusterVersion() {
        return Json.copy(Objects.requireNonNull(store.get(Resource.CLUSTER_VERSIONS.path(), "version")));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> history(Map<String, Object> version) {
        return (List<Object>) Objects.requireNonNull(Fields.any(version, "status", "history"));
    }

    /** Whether the API answers: while a control-plane machine runs and etcd has its majority. */
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

    /** Whether one of the cluster's own Machines of control-plane nodes runs. */
    boolean hasMachineApi() {
        return store.list(Resource.MACHINES.path()).items().stream()
                .anyMatch(machine -> "Running".equals(Fields.any(machine, "status", "phase")));
    }

    /**
     * Gives every control-plane node a Machine of the cluster's own Machine API, as an installation for platform baremetal
     * does: the etcd operator then looks after members by these.
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

    /** A machine lost power; its Node, if it has one, is no longer ready. */
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
                                            .map(type -> condition(type, "Unknown", "NodeStatusUnknown"))
                                            .toList())));
            update(Resource.NODES, lost);
        }
        etcd.settle();
    }

    /** A Node came, changed or went. */
    void nodesChanged() {
        etcd.settle();
    }

    Caller caller(String authorization) {
        if (authorization.equals("Bearer " + adminToken)) {
            return Caller.ADMIN;
        }
        return authorization.equals("Bearer " + kubeletToken) ? Caller.KUBELET : Caller.NOBODY;
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

    private Map<String, Object> clusterVersion(boolean completed) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("desired", Map.of("version", release.version(), "image", release.image()));
        status.put("observedGeneration", 1);
        status.put("versionHash", "");
        status.put("history", new ArrayList<>(List.of(entry(release, completed))));
        status.put("conditions", conditions(completed, !completed));
        return object("ClusterVersion", "version", Map.of("clusterID", id, "channel", ""), status);
    }

    private static Map<String, Object> entry(Release release, boolean completed) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("version", release.version());
        entry.put("image", release.image());
        entry.put("state", completed ? "Completed" : "Partial");
        entry.put("startedTime", now());
        entry.put("verified", false);
        if (completed) {
            entry.put("completionTime", now());
        }
        return entry;
    }

    private static List<Map<String, Object>> conditions(boolean available, boolean progressing) {
        return List.of(
                condition("Available", available ? "True" : "False", ""),
                condition("Progressing", progressing ? "True" : "False", ""),
                condition("Failing", "False", ""));
    }

    private Map<String, Object> clusterOperator(String name, boolean available) {
        return object(
                "ClusterOperator",
                name,
                Map.of(),
                Map.of(
                        "versions", List.of(Map.of("name", "operator", "version", release.version())),
                        "conditions",
                                List.of(
                                        condition("Available", available ? "True" : "False", "AsExpected"),
                                        condition("Progressing", available ? "False" : "True", "AsExpected"),
                                        condition("Degraded", "False", "AsExpected"))));
    }

    private static Map<String, Object> object(String kind, String name, Object spec, Object status) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "config.openshift.io/v1");
        object.put("kind", kind);
        object.put("metadata", new LinkedHashMap<>(Map.of("name", name, "generation", 1)));
        object.put("spec", spec);
        object.put("status", status);
        return Json.copy(object);
    }

    static Map<String, Object> condition(String type, String status, String reason) {
        return condition(type, status, reason, "");
    }

    static Map<String, Object> condition(String type, String status, String reason, String message) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", status);
        condition.put("reason", reason);
        condition.put("message", message);
        condition.put("lastTransitionTime", now());
        return condition;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String secret() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
