package io.capoa.controlplane.workload.health;

import java.util.Optional;

/** What a round of {@link HealthRounds} asks a cluster for. */
public interface HealthQueries {

    /** Costs one request. */
    ApiServerReadiness readiness();

    /**
     * What the ClusterOperators report: one request, and one for each if one of them was written; empty if they could not be
     * read.
     *
     * @param before what they have reported
     */
    Optional<OperatorReports> reports(OperatorReports before);

    /** Costs eight requests and two commands in a pod. */
    HealthSnapshot snapshot();
}
