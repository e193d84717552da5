package io.capoa.controlplane.workload.upgrade;

import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads how far the machine-config operator has got with a Node. It changes nothing. */
public final class NodeUpdateReading {

    /** Two requests have to fit into the ten seconds that Cluster API gives a hook. */
    public static final int PATIENCE_MILLIS = 3_500;

    private static final String GROUP = "machineconfiguration.openshift.io";
    private static final String STATE = GROUP + "/state";
    private static final String REASON = GROUP + "/reason";
    private static final String CURRENT = GROUP + "/currentConfig";
    private static final String DESIRED = GROUP + "/desiredConfig";

    private static final String WORKER = "worker";
    private final KubernetesClient client;

    public NodeUpdateReading(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The state of a Node; throws {@link KubernetesClientException} when the API does not answer.
     *
     * @throws IllegalArgumentException if the name is none
     */
    public NodeUpdate of(String name) {
        GenericKubernetesResource node =
                WorkloadKinds.named(client.genericKubernetesResources(WorkloadKinds.NODE), name);
        return node == null ? NodeUpdate.missing() : of(node, pools());
    }

    static NodeUpdate of(GenericKubernetesResource node, List<GenericKubernetesResource> pools) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of());
        String state = annotations.getOrDefault(STATE, "");
        String current = annotations.getOrDefault(CURRENT, "");
        boolean failing = state.equals("Degraded") || state.equals("Unreconcilable");
        return new NodeUpdate(
                "",
                true,
                kubelet(node),
                state.equals("Done") && !current.isEmpty() && current.equals(annotations.get(DESIRED)),
                failing ? UntrustedContent.quoted(state + ": " + annotations.getOrDefault(REASON, "no reason")) : "",
                pausedPool(node, pools));
    }

    private static String kubelet(GenericKubernetesResource node) {
        String version = Fields.string(node, "status", "nodeInfo", "kubeletVersion");
        return version == null ? "" : UntrustedContent.quoted(version);
    }

    /** A Node of a custom pool is selected by pool worker, too, but follows its custom pool. */
    private static String pausedPool(GenericKubernetesResource node, List<GenericKubernetesResource> pools) {
        List<GenericKubernetesResource> selecting =
                pools.stream().filter(pool -> selects(pool, node)).toList();
        boolean custom = selecting.stream().anyMatch(pool -> !isWorker(pool));
        return selecting.stream()
                .filter(pool -> !custom || !isWorker(pool))
                .filter(pool -> Fields.isTrue(pool, "spec", "paused"))
                .map(pool -> UntrustedContent.quoted(pool.getMetadata().getName()))
                .sorted()
                .findFirst()
                .orElse("");
    }

    private static boolean isWorker(GenericKubernetesResource pool) {
        return WORKER.equals(pool.getMetadata().getName());
    }

    /** A pool selects by the labels of roles, which have no value. */
    private static boolean selects(GenericKubernetesResource pool, GenericKubernetesResource node) {
        Map<String, Object> wanted = Fields.map(pool, "spec", "nodeSelector", "matchLabels");
        Map<String, String> labels =
                Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
        return !wanted.isEmpty()
                && wanted.entrySet().stream()
                        .allMatch(label -> Objects.equals(label.getValue(), labels.get(label.getKey())));
    }

    private List<GenericKubernetesResource> pools() {
        return WorkloadKinds.served(() -> client.genericKubernetesResources(WorkloadKinds.MACHINE_CONFIG_POOL)
                .list()
                .getItems());
    }
}
