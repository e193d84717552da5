package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.conditions.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What runs, what is missing and why. */
@ApiType
public record OpenshiftAssistedControlPlaneStatus(
        @Nullable Initialization initialization,
        @Nullable String selector,
        @Nullable Integer replicas,
        @Nullable Integer readyReplicas,
        @Nullable Integer availableReplicas,
        @Nullable Integer upToDateReplicas,
        @Nullable List<StatusVersion> versions,
        @Nullable String version,
        @Nullable String distributionVersion,
        @Nullable Long observedGeneration,
        @Nullable List<Condition> conditions) {

    @ApiType
    public record Initialization(@Nullable Boolean controlPlaneInitialized) {}

    /** How many control plane Machines run a Kubernetes version. */
    @ApiType
    public record StatusVersion(String version, @Nullable Integer replicas) {}
}
