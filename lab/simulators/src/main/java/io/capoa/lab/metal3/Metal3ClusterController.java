package io.capoa.lab.metal3;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Stopwatch;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reconciles a Metal3Cluster: provisioned once it has an owner and an endpoint, which others set. */
final class Metal3ClusterController {

    private static final String READY = "Ready";

    private final Caches.Cache<Metal3Cluster> infra;
    private final Caches.Cache<Metal3Machine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final Stopwatch stopwatch;
    private final Writes writes;

    Metal3ClusterController(
            Caches.Cache<Metal3Cluster> infra,
            Caches.Cache<Metal3Machine> machines,
            Caches.Cache<Cluster> clusters,
            Delays delays,
            Writes writes) {
        this.infra = infra;
        this.machines = machines;
        this.clusters = clusters;
        this.stopwatch = new Stopwatch(delays);
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Metal3Cluster metal3Cluster = infra.get(key);
        if (metal3Cluster == null) {
            return null;
        }
        WorkingCopy<Metal3Cluster> working = new WorkingCopy<>(metal3Cluster);
        String owner = Metal3.owner(metal3Cluster, "Cluster");
        Cluster cluster = owner == null ? null : clusters.get(new Key(key.namespace(), owner));
        if (Metal3.isPaused(cluster, metal3Cluster)) {
            return null;
        }
        if (Metal3.isDeleting(metal3Cluster)) {
            boolean left = machines.list(key.namespace())
                    .anyMatch(m -> owner != null && owner.equals(Metal3.label(m, Metal3.CLUSTER_NAME)));
            if (!left) {
                working.withoutFinalizer(Metal3.CLUSTER_FINALIZER);
                writes.patch(metal3Cluster, working.change());
            }
            return null;
        }
        if (cluster == null) {
            return null;
        }
        working.finalizer(Metal3.CLUSTER_FINALIZER);
        String host = Fields.string(metal3Cluster, "spec", "controlPlaneEndpoint", "host");
        Integer port = Fields.integer(metal3Cluster, "spec", "controlPlaneEndpoint", "port");
        Duration left = null;
        if (host == null || port == null || port == 0) {
            working.condition(
                    READY, "False", "ControlPlaneEndpointFailed", "spec.controlPlaneEndpoint needs host and port");
        } else {
            left = stopwatch.left(Delays.Of.INFRASTRUCTURE, metal3Cluster);
            if (left == null || working.isTrue("status", "initialization", "provisioned")) {
                left = null;
                List<?> domains = Fields.list(metal3Cluster, "spec", "failureDomains");
                working.set(domains.isEmpty() ? null : domains, "status", "failureDomains");
                working.set(true, "status", "initialization", "provisioned");
                working.condition(READY, "True", READY, "");
            }
        }
        working.write(writes);
        return left;
    }
}
