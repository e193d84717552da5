package io.capoa.lab.cloud;

import io.capoa.api.contract.Cluster;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Stopwatch;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reconciles a LabCloudCluster: creates the load balancer, whose address becomes the control plane endpoint. */
final class CloudClusterController {

    private static final String FINALIZER = "labcloudcluster.infrastructure.lab.capoa.io";
    private static final String READY = "Ready";
    private static final int API_PORT = 6443;

    private final Caches.Cache<LabCloudCluster> infra;
    private final Caches.Cache<LabCloudMachine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final Stopwatch stopwatch;
    private final Writes writes;

    CloudClusterController(Caches caches, Delays delays, Writes writes) {
        this.infra = caches.of(LabCloudCluster.class);
        this.machines = caches.of(LabCloudMachine.class);
        this.clusters = caches.of(Cluster.class);
        this.stopwatch = new Stopwatch(delays);
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        LabCloudCluster cloudCluster = infra.get(key);
        if (cloudCluster == null) {
            return null;
        }
        Cluster cluster = CloudObjects.owner(cloudCluster, "Cluster")
                .map(name -> clusters.get(new Key(key.namespace(), name)))
                .orElse(null);
        if (CloudObjects.isPaused(cluster, cloudCluster)) {
            return null;
        }
        WorkingCopy<LabCloudCluster> working = new WorkingCopy<>(cloudCluster);
        if (CloudObjects.isDeleting(cloudCluster)) {
            boolean used = machines.list(key.namespace())
                    .anyMatch(machine ->
                            CloudObjects.clusterName(machine).equals(CloudObjects.clusterName(cloudCluster)));
            if (!used) {
                working.withoutFinalizer(FINALIZER);
                working.write(writes);
            }
            return null;
        }
        if (cluster == null) {
            return null;
        }
        working.finalizer(FINALIZER);
        boolean provisioned = working.isTrue("status", "initialization", "provisioned");
        Duration left = stopwatch.left(Delays.Of.INFRASTRUCTURE, cloudCluster);
        if (left == null || provisioned) {
            left = null;
            if (working.get("spec", "controlPlaneEndpoint", "host") == null) {
                working.set(
                        Map.of("host", loadBalancer(cloudCluster), "port", API_PORT), "spec", "controlPlaneEndpoint");
            }
            working.set(Zones.failureDomains(cloudCluster), "status", "failureDomains");
            working.set(true, "status", "initialization", "provisioned");
            working.condition(READY, "True", READY, "");
        } else {
            working.condition(READY, "False", "CreatingLoadBalancer", "the load balancer is being created");
        }
        working.write(writes);
        return left;
    }

    /** An address for documentation (RFC 5737): nothing answers there. */
    private static String loadBalancer(LabCloudCluster cluster) {
        return "203.0.113." + (1 + Math.floorMod(cluster.getMetadata().getUid().hashCode(), 254));
    }
}
