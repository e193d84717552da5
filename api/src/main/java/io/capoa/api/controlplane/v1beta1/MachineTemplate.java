package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.TemplateMetadata;
import io.capoa.api.schema.Atomic;
import io.capoa.api.schema.ListMapKeys;
import io.capoa.api.schema.OneOf;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What control plane Machines are made from (Cluster API v1beta2 control plane contract, "machines"). */
@ApiType
@JsonClassDescription("Template of the control plane Machines.")
public record MachineTemplate(
        @JsonPropertyDescription("Labels and annotations of the Machines, their infrastructure machines and configs. A "
                + "change is applied to existing objects in place.")
        @Size(min = 1)
        @Nullable
        TemplateMetadata metadata,

        @JsonPropertyDescription("Infrastructure, deletion, readiness and taints of the Machines.") @Required
        Spec spec) {

    @ApiType
    @JsonClassDescription("Infrastructure, deletion, readiness and taints of the Machines.")
    public record Spec(
            @JsonPropertyDescription("Template that infrastructure machines are cloned from, such as a "
                    + "Metal3MachineTemplate. To change hosts or images, create a new template and refer to "
                    + "it here.")
            @Required
            InfrastructureReference infrastructureRef,

            @JsonPropertyDescription("Timeouts of a Machine's deletion; copied to Machine.spec.deletion. A change is "
                    + "applied to existing Machines, even while they are being deleted.")
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
                    "Taints that Cluster API keeps on the Machines' nodes; copied to Machine.spec.taints. "
                            + "Other taints are not touched.")
            @Size(min = 1, max = 64)
            @ListMapKeys({"key", "effect"})
            @Nullable
            List<Taint> taints) {}

    /** An infrastructure machine template in the same namespace, in whatever version its CRD's contract label names. */
    @ApiType
    @Atomic
    @JsonClassDescription("An infrastructure machine template in the same namespace. The contract label of its "
            + "CRD determines the API version.")
    public record InfrastructureReference(
            @JsonPropertyDescription(
                    "API group of the template, without version. " + "Example: infrastructure.cluster.x-k8s.io.")
            @Required
            @Size(min = 1, max = 253)
            @Pattern(Patterns.DNS_SUBDOMAIN)
            String apiGroup,

            @JsonPropertyDescription("Kind of the template; it ends in Template. Example: Metal3MachineTemplate.")
            @Required
            @Size(min = 1, max = 63)
            @Pattern(Patterns.KIND)
            @ValidationRule(
                    value = "self.endsWith('Template')",
                    message = "infrastructureRef.kind takes the kind of a template that machines are cloned from: "
                            + "write Metal3MachineTemplate, not Metal3Machine")
            String kind,

            @JsonPropertyDescription("Name of the template, in the same namespace.")
            @Required
            @Size(min = 1, max = 253)
            @Pattern(Patterns.DNS_SUBDOMAIN)
            String name) {}

    /** Seconds that the steps of a Machine's deletion may take; 0 is no limit. */
    @ApiType
    @JsonClassDescription("Timeouts of a Machine's deletion, in seconds; 0 is no limit.")
    public record Deletion(
            @JsonPropertyDescription(
                    "Seconds that draining the node may take before the deletion continues. 0 or absent: "
                            + "no limit.")
            @Min(0)
            @Nullable
            Integer nodeDrainTimeoutSeconds,

            @JsonPropertyDescription("Seconds to wait for volumes to be detached before the deletion continues. 0 or "
                    + "absent: no limit.")
            @Min(0)
            @Nullable
            Integer nodeVolumeDetachTimeoutSeconds,

            @JsonPropertyDescription(
                    "Seconds during which deletion of the Node object is retried. 0: no limit. Absent: "
                            + "10, set by Cluster API on the Machine.")
            @Min(0)
            @Nullable
            Integer nodeDeletionTimeoutSeconds) {}

    @ApiType
    @JsonClassDescription("A condition that a Machine needs to be Ready.")
    public record ReadinessGate(
            @JsonPropertyDescription(
                    "Type of the condition in Machine.status.conditions; an absent condition counts as " + "Unknown.")
            @Required
            @Size(min = 1, max = 316)
            @Pattern(Patterns.CONDITION_TYPE)
            String conditionType,

            @JsonPropertyDescription(
                    "Positive: True is the good state. Negative: False is the good state. Absent: " + "Positive.")
            @OneOf({"Positive", "Negative"})
            @Nullable
            String polarity) {}

    @ApiType
    @JsonClassDescription("A taint that Cluster API keeps on the Machines' nodes.")
    public record Taint(
            @JsonPropertyDescription("Key of the taint, with or without a DNS prefix. Example: example.com/dedicated.")
            @Required
            @Size(min = 1, max = 317)
            @Pattern(Patterns.QUALIFIED_NAME)
            String key,

            @JsonPropertyDescription("Value of the taint.")
            @Size(min = 1, max = 63)
            @Pattern(Patterns.LABEL_VALUE)
            @Nullable
            String value,

            @JsonPropertyDescription(
                    "Effect on pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or " + "NoExecute.")
            @Required
            @OneOf({"NoSchedule", "PreferNoSchedule", "NoExecute"})
            String effect,

            @JsonPropertyDescription(
                    "Always: the taint is restored when it is missing. OnInitialization: it is set once, "
                            + "when the node appears.")
            @Required
            @OneOf({"Always", "OnInitialization"})
            String propagation) {}
}
