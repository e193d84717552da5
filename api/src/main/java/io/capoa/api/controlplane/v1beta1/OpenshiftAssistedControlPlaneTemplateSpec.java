package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.ApiType;
import io.capoa.api.TemplateMetadata;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A control plane without what the topology sets itself: {@code version}, {@code replicas} and the infrastructure
 * reference.
 */
@ApiType
public record OpenshiftAssistedControlPlaneTemplateSpec(
        @Nullable String distributionVersion,
        @Nullable MachineTemplate machineTemplate,
        @Nullable OpenshiftAssistedConfigSpec openshiftAssistedConfigSpec,
        @Nullable ClusterConfig config) {

    /** {@link io.capoa.api.controlplane.v1beta1.MachineTemplate} without the infrastructure reference. */
    @ApiType
    public record MachineTemplate(
            @Nullable TemplateMetadata metadata, @Nullable Spec spec) {

        @ApiType
        public record Spec(
                io.capoa.api.controlplane.v1beta1.MachineTemplate.@Nullable Deletion deletion,
                @Nullable List<io.capoa.api.controlplane.v1beta1.MachineTemplate.ReadinessGate> readinessGates,
                @Nullable List<io.capoa.api.controlplane.v1beta1.MachineTemplate.Taint> taints) {}
    }
}
