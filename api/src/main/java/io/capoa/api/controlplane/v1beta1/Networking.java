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
@JsonClassDescription("Networks of the installed cluster in addition to Cluster.spec.clusterNetwork, which "
        + "has the pod and service networks, one per IP family for dual stack.")
public record Networking(
        @JsonPropertyDescription("Network plug-in: OVNKubernetes, OpenShiftSDN, CiscoACI, Cilium, Calico or None; for "
                + "the last four, provide the plug-in's manifests in manifestsConfigMapRefs. Absent: "
                + "assisted-service decides.")
        @OneOf({"OpenShiftSDN", "OVNKubernetes", "CiscoACI", "Cilium", "Calico", "None"})
        @Nullable
        String networkType,

        @JsonPropertyDescription("Networks of the hosts, that of the first API address first. Absent: assisted-service "
                + "detects them. Example: [{cidr: 192.168.111.0/24}].")
        @Size(max = 16)
        @Nullable
        List<MachineNetwork> machineNetwork,

        @JsonPropertyDescription("Prefix length of the pod subnet assigned to each node.") @Nullable
        HostPrefix hostPrefix,

        @JsonPropertyDescription("Whether you provide the cluster's load balancers and DNS. Absent: assisted-service "
                + "decides, by the platform and the number of hosts.")
        @Nullable
        Boolean userManagedNetworking) {

    /** A network of the hosts. */
    @ApiType
    @JsonClassDescription("A network of the hosts.")
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
    @JsonClassDescription("Prefix length of the pod subnet assigned to each node, by IP family.")
    public record HostPrefix(
            @JsonPropertyDescription("For IPv4 pod networks. Absent: 23, which gives a node 510 addresses.")
            @Min(1)
            @Max(32)
            @Nullable
            Integer ipv4,

            @JsonPropertyDescription("For IPv6 pod networks. Absent: 64, the only one that OVN-Kubernetes supports.")
            @Min(1)
            @Max(128)
            @Nullable
            Integer ipv6) {}
}
