package io.capoa.lab.light;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.metal3.Metal3Cluster;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reconciles a Cluster: its infrastructure is provisioned at once, its control plane when that says so. */
final class LightCluster {

    private final Caches.Cache<Cluster> clusters;
    private final Caches.Cache<Metal3Cluster> infrastructure;
    private final Caches.Cache<ControlPlane> controlPlanes;
    private final Writes writes;

    LightCluster(
            Caches.Cache<Cluster> clusters,
            Caches.Cache<Metal3Cluster> infrastructure,
            Caches.Cache<ControlPlane> controlPlanes,
            Writes writes) {
        this.clusters = clusters;
        this.infrastructure = infrastructure;
        this.controlPlanes = controlPlanes;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Cluster cluster = clusters.get(key);
        Metal3Cluster metal3Cluster =
                cluster == null ? null : infrastructure.get(referred(cluster, "infrastructureRef"));
        ControlPlane controlPlane = cluster == null ? null : controlPlanes.get(referred(cluster, "controlPlaneRef"));
        if (cluster == null || metal3Cluster == null || controlPlane == null) {
            return null;
        }
        WorkingCopy<ControlPlane> owned = new WorkingCopy<>(controlPlane)
                .owner(LightPeers.controller(cluster))
                .label(LightPeers.CLUSTER_NAME, key.name());
        owned.write(writes);
        WorkingCopy<Cluster> working = new WorkingCopy<>(cluster);
        working.set(Fields.map(metal3Cluster, "spec", "controlPlaneEndpoint"), "spec", "controlPlaneEndpoint");
        working.set(true, "status", "initialization", "infrastructureProvisioned");
        working.set("Provisioned", "status", "phase");
        boolean initialized = LightPeers.isInitialized(controlPlane);
        if (initialized) {
            working.set(true, "status", "initialization", "controlPlaneInitialized");
        }
        working.condition(
                "RemoteConnectionProbe",
                initialized ? "True" : "False",
                initialized ? "ProbeSucceeded" : "ProbeFailed",
                initialized ? "" : "Remote connection not established yet");
        working.write(writes);
        return null;
    }

    private static Key referred(Cluster cluster, String reference) {
        return new Key(
                cluster.getMetadata().getNamespace(),
                String.valueOf(Fields.string(cluster, "spec", reference, "name")));
    }
}
