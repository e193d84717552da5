package io.capoa.controlplane.workload;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the state of a workload cluster's cloud controller manager. It changes nothing. */
final class CloudControllerReading {

    private static final int LONGEST_REASON = 300;

    private final KubernetesClient client;

    CloudControllerReading(KubernetesClient client) {
        this.client = client;
    }

    /** The state; throws {@link KubernetesClientException} when the API does not answer. */
    CloudControllerState state() {
        List<Node> nodes = client.nodes().list().getItems();
        List<String> uninitialized = nodes.stream()
                .filter(CloudControllerReading::isUninitialized)
                .map(node -> node.getMetadata().getName())
                .sorted()
                .toList();
        List<Pod> pods =
                client.pods().inNamespace(CloudControllerState.NAMESPACE).list().getItems();
        List<CloudComponent> components = Stream.concat(
                        served(() -> client.apps()
                                        .deployments()
                                        .inNamespace(CloudControllerState.NAMESPACE)
                                        .list()
                                        .getItems())
                                .stream()
                                .map(deployment -> component(deployment, pods)),
                        served(() -> client.apps()
                                        .daemonSets()
                                        .inNamespace(CloudControllerState.NAMESPACE)
                                        .list()
                                        .getItems())
                                .stream()
                                .map(set -> component(set, pods)))
                .sorted(Comparator.comparing(CloudComponent::name))
                .toList();
        return new CloudControllerState("", components, uninitialized, nodes.size());
    }

    private static <T> List<T> served(Supplier<List<T>> list) {
        try {
            return list.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    private static boolean isUninitialized(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints() != null
                && node.getSpec().getTaints().stream()
                        .anyMatch(taint -> CloudControllerState.TAINT.equals(taint.getKey()));
    }

    private static CloudComponent component(Deployment deployment, List<Pod> pods) {
        Integer wanted = deployment.getSpec().getReplicas();
        Integer available =
                deployment.getStatus() == null ? null : deployment.getStatus().getAvailableReplicas();
        return component(
                "Deployment",
                deployment.getMetadata().getName(),
                wanted == null ? 1 : wanted,
                available,
                problem(deployment.getSpec().getSelector(), pods));
    }

    private static CloudComponent component(DaemonSet set, List<Pod> pods) {
        return component(
                "DaemonSet",
                set.getMetadata().getName(),
                set.getStatus() == null
                        ? 1
                        : Objects.requireNonNullElse(set.getStatus().getDesiredNumberScheduled(), 1),
                set.getStatus() == null ? null : set.getStatus().getNumberAvailable(),
                problem(set.getSpec().getSelector(), pods));
    }

    private static CloudComponent component(
            String kind, String name, int wanted, @Nullable Integer available, Optional<String> problem) {
        return new CloudComponent(
                kind + " " + CloudControllerState.NAMESPACE + "/" + name,
                wanted,
                available == null ? 0 : available,
                problem.orElse(""));
    }

    /** The first problem of the selected pods, in the order of their names. */
    private static Optional<String> problem(@Nullable LabelSelector selector, List<Pod> pods) {
        Map<String, String> labels =
                selector == null || selector.getMatchLabels() == null ? Map.of() : selector.getMatchLabels();
        return pods.stream()
                .filter(pod -> labelsOf(pod).entrySet().containsAll(labels.entrySet()))
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .flatMap(pod -> problem(pod).stream())
                .findFirst()
                .map(text -> text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "...");
    }

    private static Map<String, String> labelsOf(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
    }

    private static Optional<String> problem(Pod pod) {
        String name = "pod " + pod.getMetadata().getName();
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        Optional<String> waiting = Stream.ofNullable(pod.getStatus().getContainerStatuses())
                .flatMap(List::stream)
                .filter(status -> reason(status) != null)
                .findFirst()
                .map(status -> "%s cannot start image %s: %s".formatted(name, status.getImage(), reason(status)));
        return waiting.or(() -> Stream.ofNullable(pod.getStatus().getConditions())
                .flatMap(List::stream)
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .findFirst()
                .map(condition -> name + " is not scheduled: " + words(condition)));
    }

    /** The kubelet alternates between two reasons for each cause; one of them is reported, so that it stays. */
    private static @Nullable String reason(ContainerStatus status) {
        boolean crashes = !Boolean.TRUE.equals(status.getReady())
                && status.getRestartCount() != null
                && status.getRestartCount() > 1;
        ContainerStateWaiting waiting =
                status.getState() == null ? null : status.getState().getWaiting();
        String reason = waiting == null ? null : waiting.getReason();
        if (reason == null || reason.equals("ContainerCreating") || reason.equals("PodInitializing")) {
            return crashes ? "CrashLoopBackOff" : null;
        }
        return reason.equals("ErrImagePull") ? "ImagePullBackOff" : reason;
    }

    private static String words(PodCondition condition) {
        String message = condition.getMessage();
        return message == null || message.isBlank() ? String.valueOf(condition.getReason()) : message;
    }
}
