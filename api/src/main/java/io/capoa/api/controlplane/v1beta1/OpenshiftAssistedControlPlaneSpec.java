package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import org.jspecify.annotations.Nullable;

/** The wanted control plane. */
@ApiType
public record OpenshiftAssistedControlPlaneSpec(
        String distributionVersion,
        @Nullable String version,
        @Nullable Integer replicas,
        MachineTemplate machineTemplate,
        @Nullable OpenshiftAssistedConfigSpec openshiftAssistedConfigSpec,
        @Nullable ClusterConfig config) {}
