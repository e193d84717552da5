package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records Events of pods, for {@code kubectl describe pod}, and logs them. */
final class PodEvents {

    private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);

    private final KubernetesClient client;
    private final String node;
    private final Map<String, String> told = new ConcurrentHashMap<>();

    PodEvents(KubernetesClient client, String node) {
        this.client = client;
        this.node = node;
    }

    void normal(Pod pod, String reason, String message) {
        tell(pod, "Normal", reason, message);
    }

    void warn(Pod pod, String reason, String message) {
        tell(pod, "Warning", reason, message);
    }

    /** Drops the state of a deleted pod. */
    void forget(Pod pod) {
        told.remove(pod.getMetadata().getUid());
    }

    private void tell(Pod pod, String type, String reason, String message) {
        if ((reason + message).equals(told.put(pod.getMetadata().getUid(), reason + message))) {
            return;
        }
        String namespace = pod.getMetadata().getNamespace();
        if (type.equals("Warning")) {
            LOG.warn("Pod {}/{}: {}", namespace, pod.getMetadata().getName(), message);
        } else {
            LOG.info("Pod {}/{}: {}", namespace, pod.getMetadata().getName(), message);
        }
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        try {
            client.resource(new EventBuilder()
                            .withNewMetadata()
                            .withGenerateName(pod.getMetadata().getName() + ".")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withType(type)
                            .withReason(reason)
                            .withMessage(message)
                            .withCount(1)
                            .withFirstTimestamp(now)
                            .withLastTimestamp(now)
                            .withNewSource()
                            .withComponent("kubelet")
                            .withHost(node)
                            .endSource()
                            .withReportingComponent("kubelet")
                            .withReportingInstance(node)
                            .withNewInvolvedObject()
                            .withApiVersion("v1")
                            .withKind("Pod")
                            .withNamespace(namespace)
                            .withName(pod.getMetadata().getName())
                            .withUid(pod.getMetadata().getUid())
                            .endInvolvedObject()
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            // Best effort: fails in a namespace that is being deleted.
            LOG.debug("No event for pod {}/{}", namespace, pod.getMetadata().getName(), e);
        }
    }
}
