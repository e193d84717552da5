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

        @JsonPropertyDescription("The host of the Machine and how far its installation is. Absent until the host has "
                + "reported to assisted-service.")
        @Size(min = 1)
        @Nullable
        Host host,

        @JsonPropertyDescription("The metadata.generation that the provider last reconciled.") @Min(1) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Conditions of the config. Ready is the summary. The others: InfraEnvReady, "
                + "DataSecretAvailable, AgentRegistered, AgentApproved, Installed, Paused.")
        @Size(max = 32)
        @ListMapKeys("type")
        @Nullable
        List<Condition> conditions)
        implements ConditionedStatus {

    /** A status of a config whose host is not known. */
    public OpenshiftAssistedConfigStatus(
            @Nullable Initialization initialization,
            @Nullable String dataSecretName,
            @Nullable Long observedGeneration,
            @Nullable List<Condition> conditions) {
        this(initialization, dataSecretName, null, observedGeneration, conditions);
    }

    @ApiType
    @JsonClassDescription("Progress of the initial provisioning, by Cluster API's contract.")
    public record Initialization(
            @JsonPropertyDescription("True once the Secret that dataSecretName names is complete. Cluster API then "
                    + "copies the name to the Machine, once, and the host is provisioned with it.")
            @Nullable
            Boolean dataSecretCreated) {}

    /** The host of the Machine, as it was when the conditions were written. */
    @ApiType
    @JsonClassDescription("The host of the Machine and how far its installation is, as of the conditions.")
    public record Host(
            @JsonPropertyDescription("Host name. Example: master-0.") @Size(min = 1, max = 253) @Nullable
            String name,

            @JsonPropertyDescription("Stage of the installation while it runs, and the stage at which it failed, as "
                    + "assisted-service names it. Example: Writing image to disk.")
            @Size(min = 1, max = 256)
            @Nullable
            String stage,

            @JsonPropertyDescription("How much of the installation is done, in percent; only beside stage.")
            @Min(0)
            @Nullable
            Integer percent) {}
}
