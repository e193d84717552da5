package io.capoa.lab.tenants;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** resourceVersions of a tenant's objects: each write of one of them changes it. */
public final class ObjectVersions {

    private ObjectVersions() {}

    /** Of all objects of these kinds in a namespace, by kind and name. */
    public static SortedMap<String, String> in(
            KubernetesClient client, String namespace, List<Class<? extends HasMetadata>> kinds) {
        SortedMap<String, String> versions = new TreeMap<>();
        for (Class<? extends HasMetadata> kind : kinds) {
            client.resources(kind)
                    .inNamespace(namespace)
                    .list()
                    .getItems()
                    .forEach(object -> versions.put(
                            kind.getSimpleName() + " " + object.getMetadata().getName(),
                            object.getMetadata().getResourceVersion()));
        }
        return versions;
    }
}
