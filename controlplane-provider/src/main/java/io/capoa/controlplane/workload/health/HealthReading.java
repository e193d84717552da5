package io.capoa.controlplane.workload.health;

import io.capoa.controlplane.workload.client.WorkloadFailure;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Api;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@link HealthSnapshot} of a workload cluster. It changes nothing. The API server answers lists from its
 * watch cache, which costs its etcd nothing; readiness and the members of etcd are asked live.
 */
public final class HealthReading {

    /** ClusterOperators that carry the control plane. */
    private static final List<String> OPERATORS = Stream.concat(Stream.of("etcd"), ComponentsReading.OPERATORS.stream())
            .toList();

    public static final String READYZ = "/readyz";

    /** What an API server answers that is ready. */
    public static final String OK = "ok";

    private final KubernetesClient client;
    private final EtcdReading etcd;

    public HealthReading(KubernetesClient client) {
        this.client = client;
        this.etcd = new EtcdReading(client);
    }

    /** The snapshot; throws {@link KubernetesClientException} when the API does not answer. */
    public HealthSnapshot snapshot() {
        Api api = ready();
        if (!api.ready()) {
            return HealthSnapshot.lost(api);
        }
        List<NodeHealth> nodes = nodes();
        Operators operators = operators();
        // Last: the command takes the connection for itself, and the next request would need another one.
        ControlPlaneHealth.Etcd members = etcd.members();
        return new HealthSnapshot(
                new ControlPlaneHealth(api, members, nodes, healths(operators.found)), operators.reports());
    }

    /**
     * What the ClusterOperators report; throws {@link KubernetesClientException} when the API does not answer.
     *
     * @param before what they have reported; they are read only if one was written since then
     */
    public OperatorReports reports(OperatorReports before) {
        return new OperatorChanges(client, OPERATORS)
                .untouched(before.version())
                .map(before::at)
                .orElseGet(() -> operators().reports());
    }

    /** Asks {@code /readyz}; of one that is not ready, also its check of etcd, which fails with 500. */
    private Api ready() {
        KubernetesClientException failure = failure(READYZ);
        if (failure == null) {
            return Api.READY;
        }
        if (WorkloadFailure.isRefused(failure)) {
            return Api.refused(WorkloadFailure.words(failure));
        }
        KubernetesClientException etcdCheck = failure("/readyz/etcd");
        return etcdCheck != null && etcdCheck.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
                ? new Api("it cannot use etcd", true)
                : new Api(WorkloadFailure.words(failure), false);
    }

    /** What the API server answers but OK; {@code null} for that. */
    private @Nullable KubernetesClientException failure(String path) {
        try {
            return OK.equals(client.raw(path))
                    ? null
                    : new KubernetesClientException(
                            path,
                            new RefusedAnswerException("it answers %s with another text than ok".formatted(path)));
        } catch (KubernetesClientException e) {
            if (e.getCode() <= 0) {
                throw e;
            }
            return e;
        }
    }

    /** Not a constant: the client writes the selectors of each list into it. */
    private static ListOptions fromCache() {
        return new ListOptionsBuilder().withResourceVersion("0").build();
    }

    private List<NodeHealth> nodes() {
        return EtcdReading.WITH_ETCD.stream()
                .flatMap(
                        role -> client
                                .genericKubernetesResources(WorkloadKinds.NODE)
                                .withLabel(role)
                                .list(fromCache())
                                .getItems()
                                .stream())
                .filter(node -> !node.isMarkedForDeletion())
                .map(NodeHealth::of)
                .sorted(Comparator.comparing(NodeHealth::name))
                .toList();
    }

    private static List<OperatorHealth> healths(List<GenericKubernetesResource> operators) {
        Map<String, GenericKubernetesResource> known = new HashMap<>();
        operators.forEach(operator -> known.put(operator.getMetadata().getName(), operator));
        return OPERATORS.stream()
                .map(name -> OperatorHealth.of(name, known.get(name)))
                .toList();
    }

    /** One by one: a cluster has more than thirty, and their list is a hundred times as long as the four. */
    private Operators operators() {
        List<GenericKubernetesResourceList> lists = OPERATORS.stream()
                .map(name -> client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR)
                        .withField("metadata.name", name)
                        .list(fromCache()))
                .toList();
        return new Operators(
                lists.stream().flatMap(list -> list.getItems().stream()).toList(),
                lists.stream()
                        .map(list -> String.valueOf(list.getMetadata().getResourceVersion()))
                        .toList());
    }

    /**
     * The ClusterOperators that count.
     *
     * @param found those that there are
     * @param versions of their lists, which API servers with older and newer caches may have answered
     */
    private record Operators(List<GenericKubernetesResource> found, List<String> versions) {

        /** Changes are to be asked for from the oldest of the versions, and not at all if one is not a version. */
        OperatorReports reports() {
            String oldest = versions.stream().allMatch(OperatorChanges::isVersion)
                    ? versions.stream()
                            .min(Comparator.comparingLong(Long::parseLong))
                            .orElse("")
                    : "";
            return OperatorReports.of(found, oldest);
        }
    }
}
