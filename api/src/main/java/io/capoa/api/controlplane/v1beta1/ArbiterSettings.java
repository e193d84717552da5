package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The host that completes a control plane of two: it runs a member of etcd and little else. */
@ApiType
@JsonClassDescription("The host that completes a control plane of two: it runs a member of etcd and little else.")
public record ArbiterSettings(
        @JsonPropertyDescription("Number of Machines that are arbiters, out of spec.replicas.")
        @Required
        @ValidationRule(
                value = "self == 1",
                message = "spec.arbiter.replicas takes 1, the only number that OpenShift " + "is installed with")
        Integer replicas,

        @JsonPropertyDescription(
                "Template that the arbiter's infrastructure machine is cloned from, for a smaller host. "
                        + "Absent: that of spec.machineTemplate.")
        @Nullable
        InfrastructureReference infrastructureRef) {

    /** How many Machines are arbiters. */
    public static int count(@Nullable ArbiterSettings settings) {
        return settings == null ? 0 : settings.replicas();
    }
}
