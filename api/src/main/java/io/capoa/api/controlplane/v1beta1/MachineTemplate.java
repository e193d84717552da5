package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.TemplateMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What control plane Machines are made from (Cluster API v1beta2 control plane contract, "machines"). */
@ApiType
public record MachineTemplate(@Nullable TemplateMetadata metadata, Spec spec) {

    @ApiType
    public record Spec(
            InfrastructureReference infrastructureRef,
            @Nullable Deletion deletion,
            @Nullable List<ReadinessGate> readinessGates,
            @Nullable List<Taint> taints) {}

    /** An infrastructure machine template in the same namespace, in whatever version its CRD's contract label names. */
    @ApiType
    public record InfrastructureReference(String apiGroup, String kind, String name) {}

    /** Seconds that the steps of a Machine's deletion may take; 0 is no limit. */
    @ApiType
    public record Deletion(
            @Nullable Integer nodeDrainTimeoutSeconds,
            @Nullable Integer nodeVolumeDetachTimeoutSeconds,
            @Nullable Integer nodeDeletionTimeoutSeconds) {}

    @ApiType
    public record ReadinessGate(
            String conditionType, @Nullable String polarity) {}

    @ApiType
    public record Taint(String key, @Nullable String value, String effect, String propagation) {}
}
