package io.capoa.lab.pods;

import io.capoa.lab.controller.Caches;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;

/** Writes of a node to its Pods: binding, status, and removal after termination. */
final class PodWriter {

    private final KubernetesClient client;
    private final String node;
    private final Caches.Cache<Pod> pods;
    private final PatchContext apply;

    PodWriter(KubernetesClient client, String node, Caches.Cache<Pod> pods) {
        this.client = client;
        this.node = node;
        this.pods = pods;
        this.apply = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(node)
                .withForce(true)
                .build();
    }

    /** Schedules the pod to this node. */
    void bind(Pod pod) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
        client.bindings()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(binding)
                .create();
    }

    /** Writes the pod's status if it has changed. */
    void report(Pod pod, PodRun run) {
        PodStatus status = PodStatuses.of(pod, run.containers());
        if (PodStatuses.same(pod.getStatus(), status)) {
            return;
        }
        Pod reported = new PodBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withStatus(status)
                .build();
        try {
            pods.wrote(client.resource(reported)
                    .subresource("status")
                    .patch(apply, client.getKubernetesSerialization().asJson(reported)));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
            // Deleted meanwhile: the informer reports it.
        }
    }

    /** Removes the object of a pod whose processes have ended. */
    void remove(Pod pod) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withGracePeriod(0)
                .delete();
    }
}
