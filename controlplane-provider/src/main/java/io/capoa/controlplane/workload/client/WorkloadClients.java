package io.capoa.controlplane.workload.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The clients of workload clusters, one for each kubeconfig. A client is expensive: parsed keys, a trust store, and TLS
 * sessions that the next connection resumes.
 *
 * <p>Queries take turns: over HTTP/1.1 each of those that come together would open a connection, and the first ones, which
 * have no session to resume, would each pay a full handshake. A query that lasts delays the next only for a while.
 */
public final class WorkloadClients {

    /** The right to use a client until it is closed. */
    public final class Lease implements AutoCloseable {
        private final String kubeconfig;
        private final SharedClient entry;
        private final boolean hasTurn;

        private Lease(String kubeconfig, SharedClient entry, boolean hasTurn) {
            this.kubeconfig = kubeconfig;
            this.entry = entry;
            this.hasTurn = hasTurn;
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
            if (hasTurn) {
                entry.turn.release();
            }
        }
    }

    /**
     * A client, open until it is closed.
     *
     * @param rest to be called when no query is under way, before the next has its turn
     * @param certificates that should have been renewed at a time
     * @param close leaves no connection, and the connections of other clients alone
     */
    record Opened(
            KubernetesClient client,
            Runnable rest,
            Function<Instant, ClusterCertificates> certificates,
            Runnable close) {}

    /** Guarded by the monitor of the clients. */
    private static final class SharedClient {
        private final Opened opened;
        private final Semaphore turn = new Semaphore(1, true);
        private int leases;
        /** Leases whose query has its turn, or has waited for it long enough. */
        private int running;

        private boolean retired;

        private SharedClient(Opened opened) {
            this.opened = opened;
        }
    }

    private final Function<String, Opened> factory;
    private final Duration turn;
    private final Map<String, SharedClient> entries = new HashMap<>();

    /**
     * Clients that a factory makes.
     *
     * @param factory makes the client for a kubeconfig in base64, without a request
     * @param turn how long a query waits at most for the one before it
     */
    WorkloadClients(Function<String, Opened> factory, Duration turn) {
        this.factory = factory;
        this.turn = turn;
    }

    /**
     * The client for a kubeconfig; to be closed after the query. Blocks while another query is under way, but not for
     * long.
     *
     * @throws IllegalArgumentException if the kubeconfig cannot be used
     */
    Lease lease(String kubeconfig) {
        SharedClient entry = leased(kubeconfig);
        Lease lease = new Lease(kubeconfig, entry, hasTurn(entry));
        begin(entry);
        return lease;
    }

    private synchronized SharedClient leased(String kubeconfig) {
        SharedClient entry = entries.computeIfAbsent(kubeconfig, key -> new SharedClient(factory.apply(key)));
        entry.leases++;
        entry.retired = false;
        return entry;
    }

    private boolean hasTurn(SharedClient entry) {
        try {
            return entry.turn.tryAcquire(turn.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized void begin(SharedClient entry) {
        entry.running++;
    }

    /** Closes the client, after the queries under way; a later lease makes another. */
    synchronized void retire(String kubeconfig) {
        SharedClient entry = entries.get(kubeconfig);
        if (entry != null) {
            entry.retired = true;
            closeUnused(kubeconfig, entry);
        }
    }

    private synchronized void end(String kubeconfig, SharedClient entry) {
        entry.leases--;
        entry.running--;
        if (entry.running == 0) {
            entry.opened.rest.run();
        }
        closeUnused(kubeconfig, entry);
    }

    private void closeUnused(String kubeconfig, SharedClient entry) {
        if (entry.retired && entry.leases == 0) {
            entries.remove(kubeconfig, entry);
            entry.opened.close.run();
        }
    }

    /** How many clients are open. */
    synchronized int size() {
        return entries.size();
    }
}
