package io.capoa.lab.nodes;

import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection per workload cluster, from Secret {@code <cluster>-kubeconfig} (key {@code value}). The Secret needs
 * the label {@code cluster.x-k8s.io/cluster-name} (CAPI v1beta2 control plane contract, "kubeconfig secret").
 */
public final class WorkloadClusterConnections implements AutoCloseable {

    /** Label of the Secret. */
    public static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    private static final String SUFFIX = "-kubeconfig";

    private record Connection(String kubeconfig, WorkloadClusterConnection cluster) {}

    private final Caches.Cache<Secret> secrets;
    private final Map<Key, Connection> connections = new HashMap<>();
    private final List<Consumer<Key>> listeners = new CopyOnWriteArrayList<>();

    /** Uses the informers of a controller; create it before they start. */
    public WorkloadClusterConnections(Caches caches) {
        this.secrets = caches.labelled(Secret.class, CLUSTER_NAME);
        secrets.onChange(this::secretChanged);
    }

    /** Calls the listener with the key of a Cluster when its kubeconfig or its nodes changed. */
    public void onChange(Consumer<Key> listener) {
        listeners.add(listener);
    }

    /** The connection once it is established, else {@code null}; starts to connect if there is a kubeconfig. */
    public @Nullable WorkloadClusterConnection of(Key cluster) {
        Connection connection;
        synchronized (connections) {
            String kubeconfig = closeOutdated(cluster);
            connection = connections.get(cluster);
            if (connection == null && kubeconfig != null) {
                connection = new Connection(
                        kubeconfig,
                        new WorkloadClusterConnection(cluster.toString(), kubeconfig, () -> changed(cluster)));
                connections.put(cluster, connection);
            }
        }
        return connection != null && connection.cluster.isConnected() ? connection.cluster : null;
    }

    /** Closes a connection by another kubeconfig than that of now, which is returned; without one, any connection. */
    private @Nullable String closeOutdated(Key cluster) {
        synchronized (connections) {
            String kubeconfig = kubeconfig(cluster);
            Connection connection = connections.get(cluster);
            if (connection != null && !connection.kubeconfig.equals(kubeconfig)) {
                connection.cluster.close();
                connections.remove(cluster);
            }
            return kubeconfig;
        }
    }

    private @Nullable String kubeconfig(Key cluster) {
        Secret secret = secrets.get(new Key(cluster.namespace(), cluster.name() + SUFFIX));
        if (secret == null || secret.getData() == null) {
            return null;
        }
        String value = secret.getData().get("value");
        return value == null ? null : new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }

    private void secretChanged(Secret secret) {
        String name = secret.getMetadata().getName();
        if (name.endsWith(SUFFIX)) {
            Key cluster =
                    new Key(secret.getMetadata().getNamespace(), name.substring(0, name.length() - SUFFIX.length()));
            // That of a deleted cluster would try for ever to reach it.
            var unused = closeOutdated(cluster);
            changed(cluster);
        }
    }

    private void changed(Key cluster) {
        listeners.forEach(l -> l.accept(cluster));
    }

    @Override
    public void close() {
        List<Connection> open;
        synchronized (connections) {
            open = new ArrayList<>(connections.values());
            connections.clear();
        }
        open.forEach(c -> c.cluster.close());
    }
}
