package io.capoa.api.bootstrap.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import io.capoa.api.schema.ListMapKeys;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observed state of a host's bootstrap data, discovery and installation. */
@ApiType
@JsonClassDescription("Observed state of a host's bootstrap data, discovery and installation.")
public record OpenshiftAssistedConfigStatus(
        @JsonPropertyDescription("Progress of the initial provisioning, by Cluster API's contract.")
        @Size(min = 1)
        @Nullable
        Initialization initialization,

        @JsonPropertyDescription("Name of the Secret in the same namespace that holds the bootstrap data under value "
                + "and its kind, ignition, under format. Equals the name of the config.")
        @Size(min = 1, max = 253)
        @Nullable
        String dataSecretName,

        @JsonPropertyDescription("The metadata.generation that the provider last reconciled.") @Min(1) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Conditions of the config. Ready is the summary. The others: InfraEnvReady, "
                + "DataSecretAvailable, AgentRegistered, AgentApproved, Installed, Paused.")
        @Size(max = 32)
        @ListMapKeys("type")
        @Nullable
        List<Condition> conditions)
        implements ConditionedStatus {

    @ApiType
    @JsonClassDescription("Progress of the initial provisioning, by Cluster API's contract.")
    public record Initialization(
            @JsonPropertyDescription("True once the Secret that dataSecretName names is complete. Cluster API then "
                    + "copies the name to the Machine, once, and the host is provisioned with it.")
            @Nullable
            Boolean dataSecretCreated) {}
}
