package io.capoa.lab.e2e;

import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * State that must not change: UIDs of Machines, and data of Secrets.
 *
 * @param machines UID of each Machine
 * @param secrets data of each Secret
 */
record State(SortedMap<String, String> machines, SortedMap<String, Map<String, String>> secrets) {

    static State of(KubernetesClient client, String namespace) {
        return new State(
                byName(
                        client.resources(Machine.class)
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        machine -> machine.getMetadata().getUid()),
                secretsOf(client, namespace));
    }

    /** Without Secrets of assisted-service and the user's own, which clusterctl does not move. */
    SortedMap<String, Map<String, String>> ofProviders() {
        SortedMap<String, Map<String, String>> own = new TreeMap<>(secrets);
        own.keySet()
                .removeIf(name -> name.endsWith("-admin-kubeconfig")
                        || name.endsWith("-admin-password")
                        || name.equals("pull-secret"));
        return own;
    }

    /** The data of all Secrets of a namespace. */
    static SortedMap<String, Map<String, String>> secretsOf(KubernetesClient client, String namespace) {
        return byName(client.secrets().inNamespace(namespace).list().getItems(), Secret::getData);
    }

    private static <T extends HasMetadata, V> SortedMap<String, V> byName(Collection<T> objects, Function<T, V> value) {
        return new TreeMap<>(objects.stream()
                .collect(Collectors.toMap(object -> object.getMetadata().getName(), value)));
    }
}
