package io.capoa.lab.recorded;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One namespace on the API server, written by the simulated peers. */
record Stage(KubernetesClient client, String namespace) {

    <R extends HasMetadata> @Nullable R find(Class<R> kind, String name) {
        return name.isEmpty()
                ? null
                : client.resources(kind).inNamespace(namespace).withName(name).get();
    }

    <R extends HasMetadata> List<R> list(Class<R> kind) {
        return client.resources(kind).inNamespace(namespace).list().getItems();
    }

    GenericKubernetesResource create(GenericKubernetesResource object) {
        object.getMetadata().setNamespace(namespace);
        return client.resource(object).create();
    }

    GenericKubernetesResource create(String yaml) {
        return create(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class));
    }

    void merge(Class<? extends HasMetadata> kind, String name, Map<String, ?> change) {
        client.resources(kind).inNamespace(namespace).withName(name).patch(MERGE, json(change));
    }

    void mergeStatus(Class<? extends HasMetadata> kind, String name, Map<String, ?> status) {
        client.resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .subresource("status")
                .patch(MERGE, json(Map.of("status", status)));
    }

    void delete(Class<? extends HasMetadata> kind, String name) {
        client.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private String json(Object content) {
        return client.getKubernetesSerialization().asJson(content);
    }
}
