package io.capoa.lab.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to one workload cluster: an informer of its Nodes, and the writes of Cluster API and Metal3 to them. */
public final class WorkloadClusterConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkloadClusterConnection.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final SharedIndexInformer<Node> nodes;

    /** Starts to connect; {@code onChange} is called when the informer has synced and when a Node changes. */
    WorkloadClusterConnection(String name, String kubeconfig, Runnable onChange) {
        Config config = Config.fromKubeconfig(kubeconfig);
        config.setRequestRetryBackoffLimit(0);
        config.setWatchReconnectInterval((int) FIRST_RETRY.toMillis());
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.nodes = client.nodes().runnableInformer(0);
        nodes.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node added) {
                onChange.run();
            }

            @Override
            public void onUpdate(Node before, Node after) {
                onChange.run();
            }

            @Override
            public void onDelete(Node deleted, boolean stateUnknown) {
                onChange.run();
            }
        });
        // The API of a cluster that is being installed may be unavailable for long: retry with back-off.
        nodes.exceptionHandler((started, cause) -> {
            LOG.debug("{}: nodes cannot be watched: {}", name, cause.toString());
            return true;
        });
        var unused = nodes.start().thenRun(onChange);
    }

    /** Whether the informer has synced. */
    public boolean isConnected() {
        return nodes.hasSynced();
    }

    /** The cached Nodes, sorted by name. */
    public List<Node> nodes() {
        return nodes.getIndexer().list().stream()
                .sorted(Comparator.comparing(n -> n.getMetadata().getName()))
                .toList();
    }

    /** The Node if it exists, by a request: its events may be late. */
    public Optional<Node> read(String node) {
        return Optional.ofNullable(client.nodes().withName(node).get());
    }

    /** Sets {@code spec.providerID}, which is immutable. */
    public void setProviderId(Node node, String providerId) {
        client.resource(node)
                .patch(
                        MERGE,
                        client.getKubernetesSerialization().asJson(Map.of("spec", Map.of("providerID", providerId))));
    }

    /** Merges labels and annotations, given as the fields of {@code metadata}. */
    public void patchMetadata(Node node, Map<String, Object> metadata) {
        client.resource(node).patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("metadata", metadata)));
    }

    /** Makes the Node unschedulable if it exists. */
    public void cordon(String node) {
        read(node)
                .filter(found -> !Boolean.TRUE.equals(found.getSpec().getUnschedulable()))
                .ifPresent(found -> client.resource(found)
                        .patch(
                                MERGE,
                                client.getKubernetesSerialization()
                                        .asJson(Map.of("spec", Map.of("unschedulable", true)))));
    }

    public void delete(String node) {
        client.nodes().withName(node).delete();
    }

    @Override
    public void close() {
        nodes.stop();
        client.close();
    }
}
