package io.capoa.lab.workload;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Resources of a workload cluster; object names are assumed to be unique across namespaces. */
enum Resource {
    NODES("", "v1", "nodes", "Node", "node", false),
    NAMESPACES("", "v1", "namespaces", "Namespace", "namespace", false),
    PODS("", "v1", "pods", "Pod", "pod", true),
    DEPLOYMENTS("apps", "v1", "deployments", "Deployment", "deployment", true),
    CONFIG_MAPS("", "v1", "configmaps", "ConfigMap", "configmap", true),
    ETCDS("operator.openshift.io", "v1", "etcds", "Etcd", "etcd", false),
    MACHINES("machine.openshift.io", "v1beta1", "machines", "Machine", "machine", true),
    CLUSTER_VERSIONS("config.openshift.io", "v1", "clusterversions", "ClusterVersion", "clusterversion", false),
    CLUSTER_OPERATORS("config.openshift.io", "v1", "clusteroperators", "ClusterOperator", "clusteroperator", false),
    MACHINE_CONFIG_POOLS(
            "machineconfiguration.openshift.io",
            "v1",
            "machineconfigpools",
            "MachineConfigPool",
            "machineconfigpool",
            false),
    VOLUME_ATTACHMENTS("storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", "volumeattachment", false);

    private static final List<String> VERBS = List.of("create", "delete", "get", "list", "patch", "update", "watch");

    /** Kinds with a generation, and with a status that only its own path changes. */
    private static final Set<Resource> WITH_STATUS =
            EnumSet.of(CLUSTER_VERSIONS, CLUSTER_OPERATORS, MACHINE_CONFIG_POOLS);

    private final String group;
    private final String version;
    private final String plural;
    private final String kind;
    private final String singular;
    private final boolean namespaced;

    Resource(String group, String version, String plural, String kind, String singular, boolean namespaced) {
        this.group = group;
        this.version = version;
        this.plural = plural;
        this.kind = kind;
        this.singular = singular;
        this.namespaced = namespaced;
    }

    boolean hasStatus() {
        return WITH_STATUS.contains(this);
    }

    String path() {
        return plural;
    }

    String kind() {
        return kind;
    }

    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    static Optional<Resource> of(String group, String plural) {
        return Arrays.stream(values())
                .filter(r -> r.group.equals(group) && r.plural.equals(plural))
                .findFirst();
    }

    /** The discovery document of a path, if there is one. */
    static Optional<Map<String, Object>> discovery(List<String> path) {
        if (path.equals(List.of("api"))) {
            return Optional.of(Map.of("kind", "APIVersions", "versions", List.of("v1")));
        }
        if (path.equals(List.of("apis"))) {
            return Optional.of(Map.of(
                    "kind",
                    "APIGroupList",
                    "apiVersion",
                    "v1",
                    "groups",
                    groups().map(Resource::groupDocument).toList()));
        }
        if (path.equals(List.of("api", "v1"))) {
            return Optional.of(resources("", "v1"));
        }
        if (path.size() < 2 || !path.getFirst().equals("apis") || groups().noneMatch(path.get(1)::equals)) {
            return Optional.empty();
        }
        String group = path.get(1);
        return path.size() == 2
                ? Optional.of(groupDocument(group))
                : path.size() == 3 && path.get(2).equals(version(group))
                        ? Optional.of(resources(group, group + "/" + version(group)))
                        : Optional.empty();
    }

    /** The paths in the response of the server's root. */
    static List<String> paths() {
        return Stream.concat(
                        Stream.of("/api", "/api/v1", "/apis"),
                        groups().flatMap(group -> Stream.of("/apis/" + group, "/apis/" + group + "/" + version(group))))
                .toList();
    }

    private static Stream<String> groups() {
        return Arrays.stream(values())
                .map(r -> r.group)
                .filter(group -> !group.isEmpty())
                .distinct();
    }

    private static String version(String group) {
        return Arrays.stream(values())
                .filter(r -> r.group.equals(group))
                .map(r -> r.version)
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> groupDocument(String group) {
        String served = version(group);
        Map<String, Object> version = Map.of("groupVersion", group + "/" + served, "version", served);
        return Map.of(
                "kind",
                "APIGroup",
                "apiVersion",
                "v1",
                "name",
                group,
                "versions",
                List.of(version),
                "preferredVersion",
                version);
    }

    private static Map<String, Object> resources(String group, String groupVersion) {
        List<Map<String, Object>> listed = Arrays.stream(values())
                .filter(r -> r.group.equals(group))
                .map(r -> Map.<String, Object>of(
                        "name", r.plural,
                        "singularName", r.singular,
                        "namespaced", r.namespaced,
                        "kind", r.kind,
                        "verbs", VERBS))
                .toList();
        return Map.of("kind", "APIResourceList", "apiVersion", "v1", "groupVersion", groupVersion, "resources", listed);
    }
}
