package io.capoa.controlplane.workload.health;

import java.util.List;

/**
 * The whole health of a control plane.
 *
 * @param reports of the ClusterOperators, read before the members of etcd: what changes after the members were asked is not
 *     in these, and a comparison finds it
 */
public record HealthSnapshot(ControlPlaneHealth health, OperatorReports reports) {

    static final HealthSnapshot NOT_TAKEN =
            new HealthSnapshot(ControlPlaneHealth.SERVING, OperatorReports.of(List.of(), ""));

    /** Of a cluster whose API server takes no requests. */
    public static HealthSnapshot lost(ControlPlaneHealth.Api api) {
        return new HealthSnapshot(ControlPlaneHealth.lost(api), OperatorReports.of(List.of(), ""));
    }
}
