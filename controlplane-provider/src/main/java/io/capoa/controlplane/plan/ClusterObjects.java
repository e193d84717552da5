package io.capoa.controlplane.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.InvalidNameException;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Nameable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the objects of one namespace of a management cluster; of Secrets and ConfigMaps only those that are referred to. */
final class ClusterObjects {

    private static final Set<String> OWN = Set.of("OpenshiftAssistedControlPlane", "OpenshiftAssistedConfigTemplate");
    private static final String OWN_VERSION = "v1beta1";

    private final KubernetesClient client;
    private final String namespace;
    private final PlanInput input = new PlanInput(PlanInput.Origin.NAMESPACE);

    private ClusterObjects(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** @throws KubernetesClientException if they cannot be read; a kind that is not installed has no objects */
    static PlanInput read(KubernetesClient client, String namespace) {
        ClusterObjects objects = new ClusterObjects(client, namespace);
        PlanInput.KINDS.forEach((kind, group) -> {
            if (!group.isEmpty()) {
                objects.list(kind, group);
            }
        });
        OWN.forEach(objects::referred);
        return objects.input;
    }

    private void list(String kind, String group) {
        APIGroup served = client.getApiGroup(group);
        if (served == null) {
            return;
        }
        var context = new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(
                        OWN.contains(kind)
                                ? OWN_VERSION
                                : served.getPreferredVersion().getVersion())
                .withKind(kind)
                .withPlural(plural(kind))
                .withNamespaced(true)
                .build();
        try {
            for (GenericKubernetesResource object : client.genericKubernetesResources(context)
                    .inNamespace(namespace)
                    .list()
                    .getItems()) {
                add(kind, object);
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    private static String plural(String kind) {
        String lower = kind.toLowerCase(Locale.ROOT);
        return lower.equals("hardwaredata") ? lower : lower + "s";
    }

    private void referred(String kind) {
        Set<String> secrets = new TreeSet<>();
        Set<String> maps = new TreeSet<>();
        input.ofKind(kind).flatMap(subject -> input.find(subject).stream()).forEach(object -> {
            object.findValues("pullSecretRef").forEach(reference -> name(reference, secrets));
            object.findValues("imageRegistryRef").forEach(reference -> name(reference, maps));
            object.findValues("manifestsConfigMapRefs").forEach(list -> list.forEach(one -> name(one, maps)));
        });
        secrets.forEach(name -> get("Secret", client.secrets().inNamespace(namespace), name));
        maps.forEach(name -> get("ConfigMap", client.configMaps().inNamespace(namespace), name));
    }

    private static void name(JsonNode reference, Set<String> names) {
        String name = reference.path("name").asText("");
        if (!name.isEmpty()) {
            names.add(name);
        }
    }

    private <T extends HasMetadata> void get(String kind, Nameable<? extends Resource<T>> objects, String name) {
        try {
            Optional.ofNullable(ByName.select(objects, name).get()).ifPresent(object -> add(kind, object));
        } catch (InvalidNameException e) {
            // Reported where the reference is: there is no such object.
        }
    }

    private void add(String kind, HasMetadata object) {
        @SuppressWarnings("unchecked")
        Map<String, Object> content = PlanInput.convert(object, Map.class);
        content.put("kind", kind);
        input.add(content, namespace);
    }
}
