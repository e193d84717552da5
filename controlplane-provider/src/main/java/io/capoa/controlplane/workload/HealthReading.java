package io.capoa.controlplane.workload;

import io.capoa.controlplane.workload.ControlPlaneHealth.Api;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads the {@link ControlPlaneHealth} of a workload cluster. It changes nothing. The API server answers lists from its
 * watch cache, which costs its etcd nothing; readiness and the members of etcd are asked live.
 */
final class HealthReading {

    /** ClusterOperators that carry the control plane. */
    private static final List<String> OPERATORS =
            List.of("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler");

    private static final ListOptions FROM_CACHE =
            new ListOptionsBuilder().withResourceVersion("0").build();

    private final KubernetesClient client;
    private final EtcdReading etcd;

    HealthReading(KubernetesClient client) {
        this.client = client;
        this.etcd = new EtcdReading(client);
    }

    /** The snapshot; throws {@link KubernetesClientException} when the API does not answer. */
    ControlPlaneHealth health() {
        Api api = ready();
        return api.ready()
                ? new ControlPlaneHealth(api, etcd.members(), nodes(), operators())
                : ControlPlaneHealth.lost(api);
    }

    /** Asks {@code /readyz}. One that is not ready lists its checks, the failed ones with a minus. */
    private Api ready() {
        try {
            client.raw("/readyz");
            return Api.READY;
        } catch (KubernetesClientException e) {
            if (e.getCode() <= 0) {
                throw e;
            }
            String checks = String.valueOf(e.getMessage());
            return checks.contains("[-]etcd")
                    ? new Api("it cannot use etcd", true)
                    : new Api(InstalledCluster.words(e), false);
        }
    }

    private List<NodeHealth> nodes() {
        return client.nodes().withLabel(EtcdReading.MASTER).list(FROM_CACHE).getItems().stream()
                .filter(node -> node.getMetadata().getDeletionTimestamp() == null)
                .map(NodeHealth::of)
                .sorted(Comparator.comparing(NodeHealth::name))
                .toList();
    }

    private List<OperatorHealth> operators() {
        Map<String, GenericKubernetesResource> known = new HashMap<>();
        OPERATORS.stream()
                .flatMap(this::operator)
                .forEach(operator -> known.put(operator.getMetadata().getName(), operator));
        return OPERATORS.stream()
                .map(name -> OperatorHealth.of(name, known.get(name)))
                .toList();
    }

    /** One by one: a cluster has more than thirty, and their list is a hundred times as long as the four. */
    private Stream<GenericKubernetesResource> operator(String name) {
        return client
                .genericKubernetesResources(EtcdReading.CLUSTER_OPERATOR)
                .withField("metadata.name", name)
                .list(FROM_CACHE)
                .getItems()
                .stream();
    }
}
