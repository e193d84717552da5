package io.capoa.lint.rules;

import io.capoa.api.conditions.PlannedFinding.Severity;
import io.capoa.api.contract.Fields;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.ManifestObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workload that runs a cloud controller manager or a cloud node manager.
 *
 * @param isNodeManager whether it is the cloud node manager, which runs on each node, and not the cloud controller manager
 * @param containers without init containers
 */
record Workload(ManifestObject object, boolean isNodeManager, List<Container> containers) {

    static final String MANAGER_CONTAINER = "cloud-controller-manager";
    static final String NODE_MANAGER_CONTAINER = "cloud-node-manager";

    private static final Set<String> KINDS =
            Set.of("Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "Job", "Pod");
    private static final Pattern MANAGER = Pattern.compile("(^|[-_.])(cloud-controller-manager|ccm)($|[-_.])");
    private static final Pattern OPERATOR = Pattern.compile("(^|-)operator($|-)");
    private static final Pattern CLOUD_PROVIDER = Pattern.compile("--cloud-provider[= ]");

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
        boolean nodeManager = names.stream().anyMatch(name -> name.contains(NODE_MANAGER_CONTAINER));
        boolean manager = names.stream().anyMatch(name -> MANAGER.matcher(name).find())
                || containers.stream()
                        .anyMatch(container ->
                                CLOUD_PROVIDER.matcher(container.commandLine()).find());
        return nodeManager || manager ? Optional.of(new Workload(object, nodeManager, containers)) : Optional.empty();
    }

    Stream<Finding> blocking(String path, String what, String why, String remedy) {
        return Stream.of(new Finding(Severity.BLOCKING, object.label(), path, what, why, remedy));
    }

    Stream<Finding> blockingIf(boolean broken, String path, String what, String why, String remedy) {
        return broken ? blocking(path, what, why, remedy) : Stream.empty();
    }

    Stream<Finding> warningIf(boolean broken, String path, String what, String why, String remedy) {
        return broken ? warning(path, what, why, remedy) : Stream.empty();
    }

    Stream<Finding> warning(String path, String what, String why, String remedy) {
        return Stream.of(new Finding(Severity.WARNING, object.label(), path, what, why, remedy));
    }

    String namespace() {
        return object.namespace();
    }

    boolean isKind(String kind) {
        return object.kind().equals(kind);
    }

    /** Path of a field of the pod template. */
    String path(String field) {
        return (isKind("Pod") ? "spec." : "spec.template.spec.") + field;
    }

    /** Path of a field of a container. */
    String path(Container container, String field) {
        return path(container.path() + "." + field);
    }

    /** A field of the object; {@code null} if absent. */
    @Nullable
    Object field(String... path) {
        return Fields.any(object.content(), path);
    }

    /** A field of the pod's spec; {@code null} if absent. */
    @Nullable
    Object pod(String... path) {
        return Fields.any(podOf(object), path);
    }

    /** A list of the pod's spec, empty if absent. */
    List<?> podList(String... path) {
        return Fields.list(podOf(object), path);
    }

    /** A string of the pod's spec, empty if absent. */
    String podText(String... path) {
        return Fields.text(podOf(object), path);
    }

    /** Init containers, then the others. */
    List<Container> allContainers() {
        return Stream.concat(initContainers().stream(), containers.stream()).toList();
    }

    List<Container> initContainers() {
        return containersOf(object, "initContainers");
    }

    /** The name that OpenShift's tools expect of the container. */
    String containerName() {
        return isNodeManager ? NODE_MANAGER_CONTAINER : MANAGER_CONTAINER;
    }

    /** The container of the cloud controller manager: that of its name, else the first; none without containers. */
    Stream<Container> mainContainer() {
        return Stream.concat(
                        containers.stream().filter(container -> container.name().equals(containerName())),
                        containers.stream())
                .limit(1);
    }

    /** Labels of the pods, empty if there are none. */
    Map<?, ?> podLabels() {
        return Fields.map(isKind("Pod") ? object.content() : field("spec", "template"), "metadata", "labels");
    }

    /** Replicas; 1 where the kind has them and no number is given. A number in quotes is one here. */
    int replicas() {
        String replicas = Fields.text(object.content(), "spec", "replicas");
        return replicas.matches("[0-9]{1,9}") ? Integer.parseInt(replicas) : 1;
    }

    /** The pods' ServiceAccount, empty if the spec names none. */
    String serviceAccount() {
        String name = podText("serviceAccountName");
        return name.isEmpty() ? podText("serviceAccount") : name;
    }

    /** Whether the pods run on Windows nodes, which are workers with paths and networks of their own. */
    boolean isWindows() {
        return Stream.of(podText("nodeSelector", "kubernetes.io/os"), podText("os", "name"))
                .anyMatch("windows"::equals);
    }

    boolean hasHostNetwork() {
        return Fields.isTrue(podOf(object), "hostNetwork");
    }

    /** Whether the pod tolerates a taint (Kubernetes, {@code Toleration.ToleratesTaint}). */
    boolean tolerates(String key, String value, String effect) {
        return podList("tolerations").stream().anyMatch(toleration -> matches(toleration, key, value, effect));
    }

    private static boolean matches(Object toleration, String key, String value, String effect) {
        String wantedKey = Fields.text(toleration, "key");
        boolean exists = Fields.text(toleration, "operator").equals("Exists");
        return Set.of("", effect).contains(Fields.text(toleration, "effect"))
                && (wantedKey.isEmpty()
                        ? exists
                        : wantedKey.equals(key)
                                && (exists || Fields.text(toleration, "value").equals(value)));
    }

    private static @Nullable Object podOf(ManifestObject object) {
        return object.kind().equals("Pod")
                ? Fields.any(object.content(), "spec")
                : Fields.any(object.content(), "spec", "template", "spec");
    }

    private static List<Container> containersOf(ManifestObject object, String field) {
        List<?> list = Fields.list(podOf(object), field);
        return IntStream.range(0, list.size())
                .mapToObj(i -> new Container("%s[%d]".formatted(field, i), list.get(i)))
                .toList();
    }
}
