package io.capoa.lint.manifest;

import io.capoa.api.contract.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A workload that runs a cloud controller manager or a cloud node manager. */
public final class Workload {

    public static final String MANAGER_CONTAINER = "cloud-controller-manager";
    public static final String NODE_MANAGER_CONTAINER = "cloud-node-manager";

    private static final Set<String> KINDS =
            Set.of("Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "Job", "Pod");
    private static final Pattern MANAGER = Pattern.compile("(^|[-_.])(cloud-controller-manager|ccm)($|[-_.])");
    private static final Pattern OPERATOR = Pattern.compile("(^|-)operator($|-)");
    private static final Pattern CLOUD_PROVIDER = Pattern.compile("--cloud-provider[= ]");

    private final ManifestObject object;
    private final boolean nodeManager;
    private final Object pod;
    private final List<Container> containers;

    private Workload(ManifestObject object, boolean nodeManager) {
        this.object = object;
        this.nodeManager = nodeManager;
        this.pod = podOf(object);
        this.containers = containersOf(object, "containers");
    }

    /** The workload, if the object is one; recognized by names of workload, containers and images, and by its flags. */
    static Optional<Workload> of(ManifestObject object) {
        if (!KINDS.contains(object.kind())) {
            return Optional.empty();
        }
        List<Container> containers = containersOf(object, "containers");
        List<String> names = Stream.concat(
                        Stream.of(object.name()),
                        containers.stream().flatMap(container -> Stream.of(container.name(), container.imageName())))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        if (names.stream().anyMatch(name -> OPERATOR.matcher(name).find())) {
            return Optional.empty();
        }
        if (names.stream().anyMatch(name -> name.contains(NODE_MANAGER_CONTAINER))) {
            return Optional.of(new Workload(object, true));
        }
        boolean manager = names.stream().anyMatch(name -> MANAGER.matcher(name).find())
                || containers.stream()
                        .anyMatch(container ->
                                CLOUD_PROVIDER.matcher(container.commandLine()).find());
        return manager ? Optional.of(new Workload(object, false)) : Optional.empty();
    }

    public ManifestObject object() {
        return object;
    }

    /** Whether it is the cloud node manager, which runs on each node, and not the cloud controller manager. */
    public boolean isNodeManager() {
        return nodeManager;
    }

    public boolean isKind(String kind) {
        return object.kind().equals(kind);
    }

    /** Path of a field of the pod template. */
    public String path(String field) {
        return (isKind("Pod") ? "spec." : "spec.template.spec.") + field;
    }

    /** A field of the pod's spec; {@code null} if absent. */
    public @Nullable Object pod(String... path) {
        return Fields.any(pod, path);
    }

    /** A list of the pod's spec, empty if absent. */
    public List<?> podList(String... path) {
        return pod(path) instanceof List<?> list ? list : List.of();
    }

    /** A string of the pod's spec, empty if absent. */
    public String podText(String... path) {
        return Fields.text(pod, path);
    }

    public List<Container> containers() {
        return containers;
    }

    /** Init containers, then the others. */
    public List<Container> allContainers() {
        return Stream.concat(initContainers().stream(), containers.stream()).toList();
    }

    public List<Container> initContainers() {
        return containersOf(object, "initContainers");
    }

    /** The container of the cloud controller manager: that of its name, else the first; {@code null} without containers. */
    public @Nullable Container mainContainer() {
        String name = nodeManager ? NODE_MANAGER_CONTAINER : MANAGER_CONTAINER;
        return containers.stream()
                .filter(container -> container.name().equals(name))
                .findFirst()
                .orElse(containers.isEmpty() ? null : containers.getFirst());
    }

    /** Labels of the pods, empty if there are none. */
    public Map<?, ?> podLabels() {
        Object labels = isKind("Pod")
                ? Fields.any(object.content(), "metadata", "labels")
                : Fields.any(object.content(), "spec", "template", "metadata", "labels");
        return labels instanceof Map<?, ?> map ? map : Map.of();
    }

    /** Replicas; 1 where the kind has them and no number is given. A number in quotes is one here. */
    public int replicas() {
        String replicas = Fields.text(object.content(), "spec", "replicas");
        return replicas.matches("[0-9]{1,9}") ? Integer.parseInt(replicas) : 1;
    }

    /** The pods' ServiceAccount, empty if the spec names none. */
    public String serviceAccount() {
        String name = podText("serviceAccountName");
        return name.isEmpty() ? podText("serviceAccount") : name;
    }

    /** Whether the pods run on Windows nodes, which are workers with paths and networks of their own. */
    public boolean isWindows() {
        return Stream.of(podText("nodeSelector", "kubernetes.io/os"), podText("os", "name"))
                .anyMatch("windows"::equals);
    }

    public boolean hasHostNetwork() {
        return Boolean.TRUE.equals(pod("hostNetwork"));
    }

    /** Whether the pod tolerates a taint (Kubernetes, {@code Toleration.ToleratesTaint}). */
    public boolean tolerates(String key, String value, String effect) {
        return podList("tolerations").stream().anyMatch(toleration -> matches(toleration, key, value, effect));
    }

    private static boolean matches(Object toleration, String key, String value, String effect) {
        String wantedEffect = Fields.text(toleration, "effect");
        String wantedKey = Fields.text(toleration, "key");
        boolean exists = Fields.text(toleration, "operator").equals("Exists");
        if (!wantedEffect.isEmpty() && !wantedEffect.equals(effect)) {
            return false;
        }
        if (wantedKey.isEmpty()) {
            return exists;
        }
        return wantedKey.equals(key)
                && (exists || Fields.text(toleration, "value").equals(value));
    }

    private static Object podOf(ManifestObject object) {
        Object pod = object.kind().equals("Pod")
                ? Fields.any(object.content(), "spec")
                : Fields.any(object.content(), "spec", "template", "spec");
        return pod == null ? Map.of() : pod;
    }

    private static List<Container> containersOf(ManifestObject object, String field) {
        List<Container> containers = new ArrayList<>();
        if (Fields.any(podOf(object), field) instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                containers.add(new Container("%s[%d]".formatted(field, i), list.get(i)));
            }
        }
        return List.copyOf(containers);
    }
}
