package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits until the resources of new CustomResourceDefinitions can be used: the definition is Established, and a list
 * from the watch cache succeeds. Until then a watch fails with 429 "storage is (re)initializing".
 */
final class ServedResources {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    private final KubernetesClient client;
    private final long deadline = System.nanoTime() + PATIENCE.toNanos();

    ServedResources(KubernetesClient client) {
        this.client = client;
    }

    void await(List<GenericKubernetesResource> definitions) {
        Set<String> missing = new TreeSet<>();
        definitions.forEach(definition -> missing.add(definition.getMetadata().getName()));
        while (!missing.isEmpty()) {
            missing.removeAll(established());
            pause("not established: ", missing);
        }
        Together.forEach(definitions, this::awaitList);
    }

    private Set<String> established() {
        Set<String> names = new HashSet<>();
        for (CustomResourceDefinition definition :
                client.apiextensions().v1().customResourceDefinitions().list().getItems()) {
            // A definition that the server has not processed yet has no conditions.
            boolean established = Stream.ofNullable(definition.getStatus())
                    .flatMap(status -> Stream.ofNullable(status.getConditions()))
                    .flatMap(List::stream)
                    .anyMatch(condition -> condition.getType().equals("Established")
                            && condition.getStatus().equals("True"));
            if (established) {
                names.add(definition.getMetadata().getName());
            }
        }
        return names;
    }

    private void awaitList(GenericKubernetesResource definition) {
        String group = definition.get("spec", "group");
        String plural = definition.get("spec", "names", "plural");
        List<Map<String, Object>> versions = definition.get("spec", "versions");
        for (Map<String, Object> version : versions) {
            if (Boolean.TRUE.equals(version.get("served"))) {
                String path = "/apis/%s/%s/%s?limit=1&resourceVersion=0".formatted(group, version.get("name"), plural);
                while (!answers(path)) {
                    pause("not served: ", Set.of(path));
                }
            }
        }
    }

    private boolean answers(String path) {
        try {
            return client.raw(path) != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private void pause(String what, Set<String> which) {
        if (which.isEmpty()) {
            return;
        }
        if (System.nanoTime() > deadline) {
            throw new ClusterException(
                    "CustomResourceDefinitions still %s%s after %d s.".formatted(what, which, PATIENCE.toSeconds()));
        }
        try {
            TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while waiting for CustomResourceDefinitions.", e);
        }
    }
}
