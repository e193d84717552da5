package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import io.capoa.api.schema.ListMapKeys;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observed state of the control plane. */
@ApiType
@JsonClassDescription("Observed state of the control plane.")
public record OpenshiftAssistedControlPlaneStatus(
        @JsonPropertyDescription("Progress of the initial provisioning, by Cluster API's contract.")
        @Size(min = 1)
        @Nullable
        Initialization initialization,

        @JsonPropertyDescription(
                "Label selector of the control plane's Machines, in query syntax; part of the scale " + "subresource.")
        @Size(min = 1, max = 4096)
        @LabelSelector
        @Nullable
        String selector,

        @JsonPropertyDescription("Number of control plane Machines that exist.") @StatusReplicas @Nullable
        Integer replicas,

        @JsonPropertyDescription("Number of control plane Machines whose condition Ready is True.") @Nullable
        Integer readyReplicas,

        @JsonPropertyDescription("Number of control plane Machines whose condition Available is True.") @Nullable
        Integer availableReplicas,

        @JsonPropertyDescription(
                "Number of control plane Machines whose condition UpToDate is True: they match the " + "spec.")
        @Nullable
        Integer upToDateReplicas,

        @JsonPropertyDescription("Kubernetes versions that the control plane runs, from old to new, with the number of "
                + "Machines that run each. Absent until the first node runs.")
        @Size(max = 100)
        @ListMapKeys("version")
        @Nullable
        List<StatusVersion> versions,

        @JsonPropertyDescription("Lowest Kubernetes version that the control plane runs. Example: v1.33.6. "
                + "Absent until the first node runs.")
        @Size(min = 1, max = 256)
        @Nullable
        String version,

        @JsonPropertyDescription("OpenShift release that the cluster runs: the last one whose installation or upgrade "
                + "is complete. Example: 4.20.3.")
        @Size(max = 256)
        @Nullable
        String distributionVersion,

        @JsonPropertyDescription(
                "Releases that the cluster can be upgraded to, as its update service says, newest " + "first.")
        @Size(max = 50)
        @ListMapKeys("version")
        @Nullable
        List<AvailableUpdate> availableUpdates,

        @JsonPropertyDescription("The last replacement of a Machine that a MachineHealthCheck found unhealthy.")
        @Nullable
        LastRemediation lastRemediation,

        @JsonPropertyDescription("The metadata.generation that the provider last reconciled.") @Min(1) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("Conditions of the control plane. Available means that the API server answers; Ready "
                + "is the summary. Good when True: Available, Ready, Initialized, ReleaseResolved, "
                + "KubernetesVersionAvailable, MachinesCreated, MachinesReady, MachinesUpToDate, "
                + "InstallSucceeding, KubeconfigAvailable. Good when False: RollingOut, ScalingUp, "
                + "ScalingDown, Remediating, Deleting, Paused.")
        @Size(max = 32)
        @ListMapKeys("type")
        @Nullable
        List<Condition> conditions)
        implements ConditionedStatus {

    /** Nothing has been reported. */
    public static final OpenshiftAssistedControlPlaneStatus EMPTY = new OpenshiftAssistedControlPlaneStatus(
            null, null, null, null, null, null, null, null, null, null, null, null, null);

    /** The status with these conditions, counts of Machines and generation; all else stays. */
    public OpenshiftAssistedControlPlaneStatus with(
            @Nullable Integer readyReplicas,
            @Nullable Integer availableReplicas,
            @Nullable Long observedGeneration,
            @Nullable List<Condition> conditions) {
        return new OpenshiftAssistedControlPlaneStatus(
                initialization,
                selector,
                replicas,
                readyReplicas,
                availableReplicas,
                upToDateReplicas,
                versions,
                version,
                distributionVersion,
                availableUpdates,
                lastRemediation,
                observedGeneration,
                conditions);
    }

    @ApiType
    @JsonClassDescription("Progress of the initial provisioning, by Cluster API's contract.")
    public record Initialization(
            @JsonPropertyDescription(
                    "True once the API server has answered; it stays True. Cluster API then provisions " + "workers.")
            @Nullable
            Boolean controlPlaneInitialized) {}

    /** A release that the cluster can be upgraded to. */
    @ApiType
    @JsonClassDescription("A release that the cluster can be upgraded to.")
    public record AvailableUpdate(
            @JsonPropertyDescription("OpenShift release, for spec.distributionVersion. Example: 4.20.5.")
            @Required
            @Size(min = 1, max = 128)
            String version,

            @JsonPropertyDescription("Known risks because of which the update is not recommended for this cluster: "
                    + "list them in spec.upgrade.acceptedRisks to accept them. Absent: it is recommended.")
            @Size(max = 32)
            @Nullable
            List<String> risks) {}

    /** The last replacement of an unhealthy Machine. */
    @ApiType
    @JsonClassDescription("The last replacement of a Machine that a MachineHealthCheck found unhealthy.")
    public record LastRemediation(
            @JsonPropertyDescription("Name of the Machine that was replaced.") @Required @Size(min = 1, max = 253)
            String machine,

            @JsonPropertyDescription("When its deletion began.") @Required @Size(min = 20, max = 35)
            String time,

            @JsonPropertyDescription("How many times this replacement has been retried; 0 for the first one.")
            @Required
            @Min(0)
            Integer retryCount) {}

    /** Number of control plane Machines that run a Kubernetes version. */
    @ApiType
    @JsonClassDescription("Number of control plane Machines that run a Kubernetes version.")
    public record StatusVersion(
            @JsonPropertyDescription("Kubernetes version as the kubelet reports it. Example: v1.33.6.")
            @Required
            @Size(min = 1, max = 256)
            String version,

            @JsonPropertyDescription("Number of Machines that run it.") @Min(1) @Nullable
            Integer replicas) {}
}
