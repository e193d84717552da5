package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the {@link ControlPlaneComponents} of a workload cluster, live. It changes nothing. */
final class ComponentsReading {

    /** ClusterOperators of what runs on every control plane host beside etcd. */
    static final List<String> OPERATORS = List.of("kube-apiserver", "kube-controller-manager", "kube-scheduler");

    private static final String NAMESPACE = "openshift-kube-apiserver";
    private static final String LABEL = "app";

    private final KubernetesClient client;

    ComponentsReading(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The components; throws {@link io.fabric8.kubernetes.client.KubernetesClientException} when the API does not answer.
     *
     * @param nodes that etcd runs on
     */
    ControlPlaneComponents of(List<GenericKubernetesResource> nodes) {
        Set<String> serving = client
                .genericKubernetesResources(WorkloadKinds.POD)
                .inNamespace(NAMESPACE)
                .withLabel(LABEL, NAMESPACE)
                .list()
                .getItems()
                .stream()
                .filter(pod -> !pod.isMarkedForDeletion() && ConditionView.isTrue(pod, "Ready"))
                .map(pod -> Fields.text(pod.getAdditionalProperties(), "spec", "nodeName"))
                .collect(Collectors.toSet());
        Map<String, Boolean> servers = nodes.stream()
                .filter(EtcdReading::isControlPlane)
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toMap(UntrustedContent::name, serving::contains, (one, other) -> one && other));
        return new ControlPlaneComponents(
                OPERATORS.stream()
                        .map(name -> OperatorHealth.of(
                                name,
                                WorkloadKinds.named(
                                        client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR), name)))
                        .toList(),
                servers);
    }
}
