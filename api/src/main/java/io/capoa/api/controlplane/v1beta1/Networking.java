package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.schema.OneOf;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Networks of the installed cluster. */
@ApiType
@JsonClassDescription("Networks of the installed cluster, besides those of Cluster.spec.clusterNetwork: the pod and "
        + "service networks are taken from there, one of each family for dual stack.")
public record Networking(
        @JsonPropertyDescription("Plug-in that connects the pods: OVNKubernetes, or OpenShiftSDN, CiscoACI, Cilium, "
                + "Calico, None; for the last four give the plug-in's manifests in manifestsConfigMapRefs. Absent: "
                + "assisted-service decides.")
        @OneOf({"OpenShiftSDN", "OVNKubernetes", "CiscoACI", "Cilium", "Calico", "None"})
        @Nullable
        String networkType,

        @JsonPropertyDescription("Networks that the hosts are in, the one of the first API address first. Absent: "
                + "assisted-service finds out. Example: [{cidr: 192.168.111.0/24}].")
        @Size(max = 16)
        @Nullable
        List<MachineNetwork> machineNetwork,

        @JsonPropertyDescription("How large a part of the pod networks each node gets.") @Nullable
        HostPrefix hostPrefix,

        @JsonPropertyDescription("Whether load balancers and DNS of the cluster are yours. Absent: assisted-service "
                + "decides, by the platform and the number of hosts.")
        @Nullable
        Boolean userManagedNetworking) {

    /** A network that the hosts are in. */
    @ApiType
    @JsonClassDescription("A network that the hosts are in.")
    public record MachineNetwork(
            @JsonPropertyDescription("Address block of the network. Example: 192.168.111.0/24.")
            @Required
            @Size(max = 43)
            @ValidationRule(
                    value = "isCIDR(self)",
                    message = "networking.machineNetwork takes address blocks: write cidr: 192.168.111.0/24, for "
                            + "example")
            String cidr) {}

    /** Prefix length of the part of a pod network that each node gets. */
    @ApiType
    @JsonClassDescription("Prefix length of the part of a pod network that each node gets, by IP family.")
    public record HostPrefix(
            @JsonPropertyDescription("Of IPv4 pod networks. Absent: 23, which gives a node 510 addresses.")
            @Min(1)
            @Max(32)
            @Nullable
            Integer ipv4,

            @JsonPropertyDescription("Of IPv6 pod networks. Absent: 64, the one that OVN-Kubernetes takes.")
            @Min(1)
            @Max(128)
            @Nullable
            Integer ipv6) {}
}
