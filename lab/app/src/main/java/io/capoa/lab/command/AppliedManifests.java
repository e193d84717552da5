package io.capoa.lab.command;

import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
     * @throws ClusterException if a file cannot be read; the message names it
     */
    AppliedManifests(List<Path> files, OptionalInt workers) {
        files.forEach(this::read);
        workers.ifPresent(this::setWorkers);
    }

    /** Number of hosts that control planes and MachineDeployments need. */
    int hosts() {
        return items.stream()
                .filter(item -> HAVE_HOSTS.contains(item.object().getKind()))
                .map(item -> spec(item.object()).get("replicas"))
                .mapToInt(replicas -> replicas instanceof Number number ? number.intValue() : 0)
                .sum();
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
     * @throws ClusterException if the API server rejects an object; the message names it and says why
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
            throw new ClusterException(
                    "The API server refuses %s %s of %s: %s"
                            .formatted(
                                    item.object().getKind(),
                                    item.object().getMetadata().getName(),
                                    item.file(),
                                    Retry.reason(e)),
                    e);
        }
    }

    private void read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<HasMetadata> objects = objects(new KubernetesSerialization().unmarshal(in));
            if (objects.isEmpty()) {
                throw new ClusterException("%s contains no Kubernetes object.".formatted(file));
            }
            objects.forEach(object -> items.add(new Item(file, object)));
        } catch (NoSuchFileException e) {
            throw new ClusterException("There is no file %s.".formatted(file), e);
        } catch (IOException | IllegalArgumentException | KubernetesClientException e) {
            throw new ClusterException("Cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** One object, a List, or the documents of a stream. */
    private static List<HasMetadata> objects(@Nullable Object content) {
        if (content instanceof HasMetadata object) {
            return List.of(object);
        }
        List<?> several = content instanceof KubernetesResourceList<?> list
                ? list.getItems()
                : content instanceof List<?> documents ? documents : List.of();
        return several.stream().flatMap(document -> objects(document).stream()).toList();
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
