package io.capoa.controlplane.workload.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The clients of workload clusters, one for each kubeconfig. A client is expensive: parsed keys, a trust store, and TLS
 * sessions that the next connection resumes.
 */
public final class WorkloadClients {

    /** The right to use a client until it is closed. */
    public final class Lease implements AutoCloseable {
        private final String kubeconfig;
        private final Entry entry;

        private Lease(String kubeconfig, Entry entry) {
            this.kubeconfig = kubeconfig;
            this.entry = entry;
        }

        public KubernetesClient client() {
            return entry.opened.client;
        }

        /** Its certificates that should have been renewed by now, without a request. */
        public ClusterCertificates certificates(Instant now) {
            return entry.opened.certificates.apply(now);
        }

        @Override
        public void close() {
            end(kubeconfig, entry);
        }
    }

    /**
     * A client, open until it is closed.
     *
     * @param rest to be called when no query is under way any more
     * @param certificates that should have been renewed at a time
     */
    record Opened(KubernetesClient client, Runnable rest, Function<Instant, ClusterCertificates> certificates) {}

    /** Guarded by the monitor of the clients. */
    private static final class Entry {
        private final Opened opened;
        private int leases;
        private boolean retired;

        private Entry(Opened opened) {
            this.opened = opened;
        }
    }

    private final Function<String, Opened> factory;
    private final Map<String, Entry> entries = new HashMap<>();

    /**
     * Clients that a factory makes.
     *
     * @param factory makes the client for a kubeconfig in base64, without a request
     */
    WorkloadClients(Function<String, Opened> factory) {
        this.factory = factory;
    }

    /**
     * The client for a kubeconfig; to be closed after the query.
     *
     * @throws IllegalArgumentException if the kubeconfig cannot be used
     */
    synchronized Lease lease(String kubeconfig) {
        Entry entry = entries.computeIfAbsent(kubeconfig, key -> new Entry(factory.apply(key)));
        entry.leases++;
        entry.retired = false;
        return new Lease(kubeconfig, entry);
    }

    /** Closes the client, after the queries under way; a later lease makes another. */
    synchronized void retire(String kubeconfig) {
        Entry entry = entries.get(kubeconfig);
        if (entry != null) {
            entry.retired = true;
            closeUnused(kubeconfig, entry);
        }
    }

    private synchronized void end(String kubeconfig, Entry entry) {
        entry.leases--;
        if (entry.leases == 0) {
            entry.opened.rest.run();
        }
        closeUnused(kubeconfig, entry);
    }

    private void closeUnused(String kubeconfig, Entry entry) {
        if (entry.retired && entry.leases == 0) {
            entries.remove(kubeconfig, entry);
            entry.opened.client.close();
        }
    }

    /** How many clients are open. */
    synchronized int size() {
        return entries.size();
    }
}
