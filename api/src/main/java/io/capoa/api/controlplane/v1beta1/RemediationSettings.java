package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.fabric8.generator.annotation.Min;
import org.jspecify.annotations.Nullable;

/** Limits for the replacement of control plane Machines that a MachineHealthCheck finds unhealthy. */
@ApiType
@JsonClassDescription("Limits for the replacement of control plane Machines that a MachineHealthCheck finds unhealthy.")
public record RemediationSettings(
        @JsonPropertyDescription("How many times the replacement of a replacement is tried. Absent: no limit.")
        @Min(0)
        @Nullable
        Integer maxRetry,

        @JsonPropertyDescription(
                "Pause before a replacement that became unhealthy is replaced, in seconds. " + "Absent: 0.")
        @Min(0)
        @Nullable
        Integer retryPeriodSeconds,

        @JsonPropertyDescription("How long a replacement has to be healthy so that its next failure does not count as "
                + "a retry, in seconds. Absent: 3600.")
        @Min(0)
        @Nullable
        Integer minHealthyPeriodSeconds,

        @JsonPropertyDescription("Whether the etcd operator's quorum guard may be overridden while a dead member of "
                + "three is replaced: with two members left, the operator adds a third only then. The override is "
                + "unsupported by OpenShift while it lasts; it is reset when three members are healthy. Absent: "
                + "false, and a dead Machine of three is not replaced.")
        @Nullable
        Boolean overrideEtcdQuorumGuard) {

    /** Limits where the spec has none. */
    public static final RemediationSettings DEFAULTS = new RemediationSettings(null, null, null, null);
}
