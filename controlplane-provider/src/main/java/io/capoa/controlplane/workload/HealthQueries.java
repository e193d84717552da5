package io.capoa.controlplane.workload;

import java.util.Optional;

/** What a round of {@link HealthRounds} asks a cluster for. */
interface HealthQueries {

    /** Costs one request. */
    ApiServerReadiness readiness();

    /** What the ClusterOperators report: a request for each; empty if one of them could not be read. */
    Optional<OperatorReports> reports();

    /** Costs eight requests and two commands in a pod. */
    HealthSnapshot snapshot();
}
