package io.capoa.lab.workload;

import com.sun.net.httpserver.HttpExchange;
import io.capoa.lab.certificates.ClientAuthority;
import io.capoa.lab.certificates.SelfSigned;
import io.capoa.lab.controller.Delays;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The API servers of all workload clusters: one HTTPS server on loopback, with path {@code /clusters/<id>} per cluster.
 */
public final class WorkloadClusters implements AutoCloseable {

    private static final String PREFIX = "clusters";

    private final Map<String, Workload> clusters = new ConcurrentHashMap<>();
    private final HttpsListener server;
    private final Kubeconfigs kubeconfigs;
    private final Delays delays;
    private final ScheduledExecutorService operators = UpgradeTimer.executor();
    private volatile CloudInstances cloud = CloudInstances.NONE;
    private volatile ReleaseCatalogue catalogue = new ReleaseCatalogue(ReleaseImages.ofNames());

    /**
     * Binds the port; {@link #start()} starts serving. Upgrades take no time.
     *
     * @param port of 127.0.0.1; 0 takes a free one
     */
    public WorkloadClusters(int port) throws IOException {
        this(port, Delays.none());
    }

    /**
     * As {@link #WorkloadClusters(int)}.
     *
     * @param delays of upgrades
     */
    public WorkloadClusters(int port, Delays delays) throws IOException {
        this.delays = delays;
        try {
            SelfSigned api = SelfSigned.create("lab-kube-apiserver");
            this.kubeconfigs = new Kubeconfigs(
                    api.pem(), SelfSigned.create("lab-ingress-operator").pem());
            var clients = new ClientCertificateRequest(
                    ClientAuthority.create(AdminCertificate.SIGNER).certificate());
            this.server = new HttpsListener(port, api.serverContext(clients), this::handle);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot create the certificate of the workload clusters' API", e);
        }
    }

    public WorkloadClusters start() {
        server.start();
        Thread.ofVirtual().name("administrator-key").start(AdminCertificate::prepare);
        return this;
    }

    /** Gives the clusters' cloud controller managers a cloud. */
    public void connect(CloudInstances instances) {
        cloud = instances;
    }

    /** Gives clusters that are created from now on the releases of a registry. */
    public void connect(ReleaseCatalogue releases) {
        catalogue = releases;
    }

    /** The cluster with that id; created if necessary. */
    public Workload create(String id, ReleaseVersions release) {
        return clusters.computeIfAbsent(
                id,
                i -> new Workload(
                        i,
                        "https://127.0.0.1:" + server.port() + "/" + PREFIX + "/" + i,
                        release,
                        kubeconfigs,
                        hostname -> cloud.find(hostname),
                        new Upgrades.Environment(catalogue, delays, operators)));
    }

    public Optional<Workload> find(String id) {
        return Optional.ofNullable(clusters.get(id));
    }

    /** Breaks all connections to all clusters for that time. */
    public void interrupt(Duration time) {
        clusters.values().forEach(cluster -> cluster.interrupt(time));
    }

    /** Removes a cluster, for example when its installation is cancelled. */
    public void remove(String id) {
        Workload gone = clusters.remove(id);
        if (gone != null) {
            gone.store().close();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            List<String> path = Arrays.stream(exchange.getRequestURI().getPath().split("/"))
                    .filter(part -> !part.isEmpty())
                    .toList();
            Workload cluster = path.size() < 2 || !path.getFirst().equals(PREFIX) ? null : clusters.get(path.get(1));
            var call = new ApiCall(exchange, path.subList(Math.min(2, path.size()), path.size()));
            if (cluster == null) {
                call.fail(404, "NotFound", "no such cluster");
            } else {
                call.answer(cluster);
            }
        }
    }

    @Override
    public void close() {
        operators.shutdownNow();
        clusters.values().forEach(c -> c.store().close());
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the workload clusters' API", e);
        }
    }
}
