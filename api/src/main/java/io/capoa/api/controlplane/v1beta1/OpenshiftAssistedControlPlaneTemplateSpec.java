package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.TemplateMetadata;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.Deletion;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.ReadinessGate;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.Taint;
import io.capoa.api.schema.ListMapKeys;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A control plane without what the topology sets itself: {@code version}, {@code replicas} and the infrastructure
 * reference.
 */
@ApiType
@JsonClassDescription("Spec of a control plane without the fields that the Cluster's topology sets: "
        + "version, replicas and the infrastructure reference.")
public record OpenshiftAssistedControlPlaneTemplateSpec(
        @JsonPropertyDescription("OpenShift or OKD release, without leading v; usually set by a patch from a variable. "
                + "Example: 4.20.3. A control plane without one is rejected.")
        @Size(min = 1, max = 128)
        @Pattern(Patterns.ONE_LINE)
        @Nullable
        String distributionVersion,

        @JsonPropertyDescription("Template of the control plane Machines, without the infrastructure.") @Nullable
        MachineTemplate machineTemplate,

        @JsonPropertyDescription(
                "Makes one of the Machines an arbiter: two hosts carry the control plane, the third only "
                        + "keeps etcd's majority. Takes OpenShift 4.20 and platform BareMetal, from 4.22 on also None.")
        @Nullable
        ArbiterSettings arbiter,

        @JsonPropertyDescription("How the Machines are named. Absent: the control plane's name and five characters.")
        @Nullable
        MachineNaming machineNaming,

        @JsonPropertyDescription("Discovery, boot and join settings of the control plane hosts.") @Nullable
        OpenshiftAssistedConfigSpec openshiftAssistedConfigSpec,

        @JsonPropertyDescription("Settings of the installed cluster.") @Nullable
        ClusterConfig config,

        @JsonPropertyDescription("Consent and choices that an upgrade of the cluster needs.") @Nullable
        UpgradeSettings upgrade,

        @JsonPropertyDescription(
                "How Machines of an installed control plane are replaced that no longer match the " + "spec.")
        @Nullable
        RolloutSettings rollout,

        @JsonPropertyDescription("Limits for the replacement of Machines that a MachineHealthCheck finds unhealthy.")
        @Nullable
        RemediationSettings remediation) {

    /** {@link io.capoa.api.controlplane.v1beta1.MachineTemplate} without the infrastructure reference. */
    @ApiType
    @JsonClassDescription("Template of the control plane Machines, without the infrastructure.")
    public record MachineTemplate(
            @JsonPropertyDescription(
                    "Labels and annotations of the Machines, their infrastructure machines and " + "configs.")
            @Size(min = 1)
            @Nullable
            TemplateMetadata metadata,

            @JsonPropertyDescription("Deletion, readiness and taints of the Machines.") @Nullable
            Spec spec) {

        @ApiType
        @JsonClassDescription("Deletion, readiness and taints of the Machines.")
        public record Spec(
                @JsonPropertyDescription("Timeouts of a Machine's deletion; copied to Machine.spec.deletion.")
                @Size(min = 1)
                @Nullable
                Deletion deletion,

                @JsonPropertyDescription("Additional conditions that a Machine needs to be Ready; copied to "
                        + "Machine.spec.readinessGates.")
                @Size(min = 1, max = 32)
                @ListMapKeys("conditionType")
                @Nullable
                List<ReadinessGate> readinessGates,

                @JsonPropertyDescription(
                        "Taints that Cluster API keeps on the Machines' nodes; copied to " + "Machine.spec.taints.")
                @Size(min = 1, max = 64)
                @ListMapKeys({"key", "effect"})
                @Nullable
                List<Taint> taints) {}
    }
}
