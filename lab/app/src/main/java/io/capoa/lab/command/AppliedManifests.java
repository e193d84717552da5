package io.capoa.lab.command;

import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The manifests that the lab applies, as {@code kubectl apply} does. */
final class AppliedManifests {

    private static final String FIELD_MANAGER = "kubectl";
    private static final Set<String> HAVE_HOSTS =
            Set.of(MachineDeployment.class.getSimpleName(), OpenshiftAssistedControlPlane.class.getSimpleName());

    private record Item(Path file, HasMetadata object) {}

    private final List<Item> items = new ArrayList<>();

    /**
     * Reads the files.
     *
     * @param workers replicas of every MachineDeployment; empty leaves those of the files
     * @throws InvalidInput if a file cannot be read; the message names it
     */
    AppliedManifests(List<Path> files, OptionalInt workers) {
        files.forEach(file -> ManifestFile.read(file).forEach(object -> items.add(new Item(file, object))));
        workers.ifPresent(this::setWorkers);
    }

    /**
     * Checks that light peers simulate what the manifests ask for.
     *
     * @throws InvalidInput if they do not; the message names the object and what is not simulated
     */
    void requireLight() {
        items.forEach(item -> LightInput.obstacle(item.object()).ifPresent(obstacle -> {
            throw new InvalidInput(
                    "--light does not simulate %s: %s %s of %s."
                            .formatted(
                                    obstacle,
                                    item.object().getKind(),
                                    item.object().getMetadata().getName(),
                                    item.file()),
                    null);
        }));
    }

    /** Number of hosts that control planes and MachineDeployments need. */
    int hosts() {
        return items.stream()
                .filter(item -> HAVE_HOSTS.contains(item.object().getKind()))
                .map(item -> spec(item.object()).get("replicas"))
                .mapToInt(replicas -> replicas instanceof Number number ? number.intValue() : 0)
                .sum();
    }

    /** Number of Clusters. */
    int clusters() {
        return (int) items.stream()
                .filter(item -> item.object().getKind().equals("Cluster"))
                .count();
    }

    /** Creates the namespace unless it exists. */
    void makeNamespace(KubernetesClient client, Retry retry, String name) {
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
        retry.write(
                "Namespace " + name,
                () -> client.resource(namespace).fieldManager(FIELD_MANAGER).serverSideApply());
    }

    /**
     * Applies every object to the namespace; retries while the API server, or a webhook that it calls, is unavailable.
     *
     * @throws InvalidInput if the API server rejects an object; the message names it and says why
     * @throws ClusterException if it, or a webhook, stays unavailable
     */
    void apply(KubernetesClient client, Retry retry, String namespace) {
        items.forEach(item -> apply(client, retry, namespace, item));
    }

    private static void apply(KubernetesClient client, Retry retry, String namespace, Item item) {
        try {
            retry.write(
                    item.object().getKind() + " " + item.object().getMetadata().getName(),
                    () -> client.resource(item.object())
                            .inNamespace(namespace)
                            .fieldManager(FIELD_MANAGER)
                            .forceConflicts()
                            .serverSideApply());
        } catch (KubernetesClientException e) {
            String object =
                    item.object().getKind() + " " + item.object().getMetadata().getName();
            if (Retry.isPassing(e)) {
                throw new ClusterException(
                        "Cannot apply %s of %s: %s".formatted(object, item.file(), Retry.reason(e)), e);
            }
            throw new InvalidInput(
                    "The API server refuses %s of %s: %s".formatted(object, item.file(), Retry.reason(e)), e);
        }
    }

    private void setWorkers(int workers) {
        items.stream()
                .map(Item::object)
                .filter(object -> object.getKind().equals(MachineDeployment.class.getSimpleName()))
                .forEach(object -> spec(object).put("replicas", workers));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> spec(HasMetadata object) {
        return object instanceof GenericKubernetesResource generic
                        && generic.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
                ? (Map<String, Object>) spec
                : Map.of();
    }
}
