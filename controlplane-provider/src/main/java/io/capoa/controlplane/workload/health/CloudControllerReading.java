package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.CloudProvider;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the state of a workload cluster's cloud controller manager. It changes nothing. */
public final class CloudControllerReading {

    private static final int LONGEST_REASON = 300;

    private final KubernetesClient client;

    public CloudControllerReading(KubernetesClient client) {
        this.client = client;
    }

    /** The state; throws {@link KubernetesClientException} when the API does not answer. */
    public CloudControllerState state() {
        List<GenericKubernetesResource> nodes =
                client.genericKubernetesResources(WorkloadKinds.NODE).list().getItems();
        List<String> uninitialized = nodes.stream()
                .filter(CloudControllerReading::isUninitialized)
                .map(node -> UntrustedContent.name(node.getMetadata().getName()))
                .sorted()
                .toList();
        List<GenericKubernetesResource> pods = list(WorkloadKinds.POD);
        List<CloudComponent> components = Stream.concat(
                        WorkloadKinds.served(() -> list(WorkloadKinds.DEPLOYMENT)).stream()
                                .map(deployment -> deployment(deployment, pods)),
                        WorkloadKinds.served(() -> list(WorkloadKinds.DAEMON_SET)).stream()
                                .map(set -> daemonSet(set, pods)))
                .sorted(Comparator.comparing(CloudComponent::name))
                .toList();
        return new CloudControllerState("", components, uninitialized, nodes.size());
    }

    private List<GenericKubernetesResource> list(ResourceDefinitionContext kind) {
        return client.genericKubernetesResources(kind)
                .inNamespace(CloudProvider.NAMESPACE)
                .list()
                .getItems();
    }

    private static boolean isUninitialized(GenericKubernetesResource node) {
        return Fields.list(node, "spec", "taints").stream()
                .anyMatch(taint -> CloudProvider.TAINT.equals(Fields.any(taint, "key")));
    }

    private static CloudComponent deployment(
            GenericKubernetesResource deployment, List<GenericKubernetesResource> pods) {
        return component(
                "Deployment",
                deployment,
                Fields.integer(deployment, "spec", "replicas"),
                Fields.integer(deployment, "status", "availableReplicas"),
                pods);
    }

    private static CloudComponent daemonSet(GenericKubernetesResource set, List<GenericKubernetesResource> pods) {
        return component(
                "DaemonSet",
                set,
                Fields.integer(set, "status", "desiredNumberScheduled"),
                Fields.integer(set, "status", "numberAvailable"),
                pods);
    }

    private static CloudComponent component(
            String kind,
            GenericKubernetesResource component,
            @Nullable Integer wanted,
            @Nullable Integer available,
            List<GenericKubernetesResource> pods) {
        return new CloudComponent(
                kind + " " + CloudProvider.NAMESPACE + "/"
                        + UntrustedContent.name(component.getMetadata().getName()),
                wanted == null ? 1 : wanted,
                available == null ? 0 : available,
                problem(Fields.map(component, "spec", "selector", "matchLabels"), pods)
                        .orElse(""));
    }

    /** The first problem of the selected pods, in the order of their names. */
    private static Optional<String> problem(Map<String, Object> selector, List<GenericKubernetesResource> pods) {
        return pods.stream()
                .filter(pod -> labelsOf(pod).entrySet().containsAll(selector.entrySet()))
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .flatMap(pod -> problem(pod).stream())
                .findFirst()
                .map(text -> UntrustedContent.quoted(text, LONGEST_REASON));
    }

    private static Map<String, String> labelsOf(GenericKubernetesResource pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
    }

    private static Optional<String> problem(GenericKubernetesResource pod) {
        String name = "pod " + pod.getMetadata().getName();
        return Fields.list(pod, "status", "containerStatuses").stream()
                .filter(container -> !reason(container).isEmpty())
                .findFirst()
                .map(container -> "%s cannot start image %s: %s"
                        .formatted(name, Fields.text(container, "image"), reason(container)))
                .or(() -> ConditionView.of(pod, "PodScheduled")
                        .filter(condition -> condition.status().equals("False"))
                        .map(condition -> name + " is not scheduled: " + words(condition)));
    }

    /** The kubelet alternates between two reasons for each cause; one of them is reported, so that it stays. */
    private static String reason(Object container) {
        String reason = Fields.text(container, "state", "waiting", "reason");
        if (reason.isEmpty() || reason.equals("ContainerCreating") || reason.equals("PodInitializing")) {
            boolean crashes = !Fields.isTrue(container, "ready")
                    && Fields.any(container, "restartCount") instanceof Number restarts
                    && restarts.intValue() > 1;
            return crashes ? "CrashLoopBackOff" : "";
        }
        return reason.equals("ErrImagePull") ? "ImagePullBackOff" : reason;
    }

    private static String words(ConditionView condition) {
        return condition.message().isBlank() ? condition.reason() : condition.message();
    }
}
