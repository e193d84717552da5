package io.capoa.controlplane.reconcile;

import io.capoa.controlplane.release.Releases;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of the reconciler are built from.
 *
 * @param leading whether this process is the leader
 * @param version of the manager
 */
record Dependencies(
        KubernetesClient client,
        Applier applier,
        Releases releases,
        EventRecorder events,
        Clock clock,
        BooleanSupplier leading,
        String version) {

    /** Reads a ConfigMap from the API server; {@code null} if it does not exist. */
    @Nullable
    ConfigMap configMap(String namespace, String name) {
        return ByName.select(client.configMaps().inNamespace(namespace), name).get();
    }

    /** Reads a Secret from the API server; {@code null} if it does not exist. */
    @Nullable
    Secret secret(String namespace, String name) {
        return ByName.select(client.secrets().inNamespace(namespace), name).get();
    }
}
