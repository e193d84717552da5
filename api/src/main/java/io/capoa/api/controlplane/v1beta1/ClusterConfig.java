package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.LocalReference;
import io.capoa.api.Proxy;
import io.capoa.api.schema.OneOf;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the installed cluster. */
@ApiType
@JsonClassDescription(
        "Settings of the installed cluster. They are read at installation; a later change does not reach a "
                + "cluster that is installed.")
@ValidationRule(
        value =
                "(has(self.apiVIPs) && size(self.apiVIPs) > 0) == (has(self.ingressVIPs) && size(self.ingressVIPs) > 0)",
        message = "config.apiVIPs and config.ingressVIPs go together: give both (platform BareMetal) or neither "
                + "(platform None, with load balancers of your own)")
@ValidationRule(
        value = "!has(self.platform) || !has(self.platform.type) || self.platform.type != 'None' "
                + "|| !has(self.apiVIPs) || size(self.apiVIPs) == 0",
        message = "config.apiVIPs and config.ingressVIPs are for platform BareMetal: leave them out, or write "
                + "config.platform.type BareMetal")
@ValidationRule(
        value =
                "!has(self.platform) || !has(self.platform.type) || self.platform.type != 'BareMetal' "
                        + "|| (has(self.apiVIPs) && size(self.apiVIPs) > 0) "
                        + "|| (has(self.loadBalancer) && has(self.loadBalancer.type) && self.loadBalancer.type == 'UserManaged')",
        message = "config.platform.type BareMetal needs config.apiVIPs and config.ingressVIPs, or "
                + "config.loadBalancer.type UserManaged")
@ValidationRule(
        value = "!has(self.loadBalancer) || !has(self.loadBalancer.type) || self.loadBalancer.type != 'UserManaged' "
                + "|| !has(self.platform) || !has(self.platform.type) || self.platform.type == 'BareMetal'",
        message = "config.loadBalancer.type UserManaged is for platform BareMetal: leave it out, or write "
                + "config.platform.type BareMetal")
public record ClusterConfig(
        @JsonPropertyDescription("DNS domain that the cluster's name is put in front of: the API server is reached as "
                + "api.<cluster>.<baseDomain>. Example: example.com.")
        @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
                value =
                        "self.matches('^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?([.][A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$')",
                message = "config.baseDomain takes a DNS domain: write example.com, without scheme, port or "
                        + "trailing dot")
        String baseDomain,

        @JsonPropertyDescription("Name of the OpenShift cluster, where it differs from that of the Cluster.")
        @Size(max = 63)
        @ValidationRule(
                value = "self == '' || self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
                message = "config.clusterName takes a DNS name in lower case: write prod-1, for example")
        @Nullable
        String clusterName,

        @JsonPropertyDescription(
                "Virtual IP addresses of the API server, at most one of each family, the family of the "
                        + "first cluster network first. Given together with ingressVIPs they make the platform BareMetal, "
                        + "which keeps the addresses itself; without, the platform is None and load balancers are yours. "
                        + "Example: [192.168.111.5].")
        @Size(max = 2)
        @ValidationRule(
                value = "self.all(vip, isIP(vip))",
                message = "config.apiVIPs takes IP addresses: write 192.168.111.5 or fd00:1101::5, without prefix "
                        + "length, port or host name")
        @ValidationRule(
                value = "size(self) != 2 || !self.all(vip, isIP(vip)) || ip(self[0]).family() != ip(self[1]).family()",
                message = "config.apiVIPs takes at most one address of each family: write one IPv4 and one IPv6 "
                        + "address, or one address alone")
        @Nullable
        List<@Size(max = 45) String> apiVIPs,

        @JsonPropertyDescription(
                "Virtual IP addresses of the ingress routers, at most one of each family, in the order "
                        + "of apiVIPs and given together with them. Example: [192.168.111.4].")
        @Size(max = 2)
        @ValidationRule(
                value = "self.all(vip, isIP(vip))",
                message = "config.ingressVIPs takes IP addresses: write 192.168.111.4 or fd00:1101::4, without "
                        + "prefix length, port or host name")
        @ValidationRule(
                value = "size(self) != 2 || !self.all(vip, isIP(vip)) || ip(self[0]).family() != ip(self[1]).family()",
                message = "config.ingressVIPs takes at most one address of each family: write one IPv4 and one "
                        + "IPv6 address, or one address alone")
        @Nullable
        List<@Size(max = 45) String> ingressVIPs,

        @JsonPropertyDescription("Platform that OpenShift is configured for.") @Nullable
        Platform platform,

        @JsonPropertyDescription("Who balances the load of the API server and the ingress routers.") @Nullable
        LoadBalancer loadBalancer,

        @JsonPropertyDescription("Networks of the installed cluster, besides those of Cluster.spec.clusterNetwork.")
        @Nullable
        Networking networking,

        @JsonPropertyDescription("NTP servers, as names or IP addresses, that the installed nodes use in place of all "
                + "others; copied to AgentClusterInstall.spec.ntpSources. assisted-service refuses them together with "
                + "additionalNTPSources of a host. Example: [ntp.example.com].")
        @Size(max = 64)
        @Nullable
        List<@Size(min = 1, max = 253) String> ntpSources,

        @JsonPropertyDescription("CA certificates in PEM, one after the other, that the installed nodes trust besides "
                + "those of the operating system. Those of hosts under discovery are "
                + "openshiftAssistedConfigSpec.additionalTrustBundle.")
        @Size(max = 262144)
        @ValidationRule(
                value = "self == '' || self.contains('-----BEGIN CERTIFICATE-----')",
                message = "config.additionalTrustBundle takes certificates in PEM: write blocks that begin with "
                        + "-----BEGIN CERTIFICATE-----")
        @Nullable
        String additionalTrustBundle,

        @JsonPropertyDescription("Whether the installation waits, all hosts being ready, until this is false or "
                + "absent. It has no effect on an installation that has started.")
        @Nullable
        Boolean holdInstallation,

        @JsonPropertyDescription("Secret in the same namespace with the cluster's pull secret under .dockerconfigjson; "
                + "the release image is looked up with it as well. Absent: a placeholder, "
                + "placeholder-pull-secret, which serves where images come from registries that ask for no "
                + "credentials.")
        @Nullable
        LocalReference pullSecretRef,

        @JsonPropertyDescription(
                "Public SSH key, in the form of authorized_keys, for user core on the installed nodes.")
        @Size(max = 65536)
        @Nullable
        String sshAuthorizedKey,

        @JsonPropertyDescription("Whether workloads may run on control plane nodes. "
                + "Absent: assisted-service decides, by the number of workers.")
        @Nullable
        Boolean mastersSchedulable,

        @JsonPropertyDescription(
                "ConfigMaps in the same namespace whose values are manifests that the installer applies; a key "
                        + "may appear once over all of them.")
        @Size(max = 64)
        @ValidationRule(
                value = "self.all(ref, has(ref.name) && ref.name != '')",
                message = "config.manifestsConfigMapRefs takes references with a name: write - name: my-manifests")
        @Nullable
        List<LocalReference> manifestsConfigMapRefs,

        @JsonPropertyDescription("ConfigMap in the same namespace that describes mirror registries: registries.conf "
                + "(TOML, required) with the mirrors and ca-bundle.crt (PEM) with the CA certificates to trust. Used for "
                + "the installation, for the installed cluster, to look up the release and, unless "
                + "openshiftAssistedConfigSpec.mirrorRegistryRef is given, for the discovery of control plane hosts; "
                + "workers have their own in their OpenshiftAssistedConfigTemplate.")
        @Nullable
        LocalReference imageRegistryRef,

        @JsonPropertyDescription("Encryption of the installation disks.") @Nullable
        DiskEncryption diskEncryption,

        @JsonPropertyDescription("Proxy of the installed cluster.") @Nullable
        Proxy proxy,

        @JsonPropertyDescription("Optional parts of OpenShift that the cluster has.") @Nullable
        Capabilities capabilities) {

    /** Platform that OpenShift is configured for. */
    @ApiType
    @JsonClassDescription("Platform that OpenShift is configured for.")
    public record Platform(
            @JsonPropertyDescription("BareMetal, where the cluster keeps its virtual IP addresses or a load balancer "
                    + "of your own stands in front of it, or None. Absent: BareMetal where apiVIPs are given or "
                    + "loadBalancer.type is UserManaged, else None.")
            @OneOf({"BareMetal", "None"})
            @Nullable
            String type) {

        public static final String BARE_METAL = "BareMetal";
        public static final String NONE = "None";
    }

    /** Who balances the load of the API server and the ingress routers. */
    @ApiType
    @JsonClassDescription("Who balances the load of the API server and the ingress routers.")
    public record LoadBalancer(
            @JsonPropertyDescription("ClusterManaged, by the cluster itself on its virtual IP addresses, or "
                    + "UserManaged, by one of your own; copied to AgentClusterInstall.spec.loadBalancer.type. "
                    + "Absent: ClusterManaged.")
            @OneOf({"ClusterManaged", "UserManaged"})
            @Nullable
            String type) {

        public static final String CLUSTER_MANAGED = "ClusterManaged";
        public static final String USER_MANAGED = "UserManaged";
    }

    @ApiType
    @JsonClassDescription("Encryption of the installation disks.")
    public record DiskEncryption(
            @JsonPropertyDescription("Roles whose disks are encrypted: none, all, or any of masters, arbiters and "
                    + "workers, in this order, separated by commas. Absent: none.")
            @OneOf({
                "none",
                "all",
                "masters",
                "arbiters",
                "workers",
                "masters,arbiters",
                "masters,workers",
                "arbiters,workers",
                "masters,arbiters,workers"
            })
            @Nullable
            String enableOn,

            @JsonPropertyDescription(
                    "Where the key comes from: tpmv2, the host's TPM, or tang, servers in the network.")
            @OneOf({"tpmv2", "tang"})
            @Nullable
            String mode,

            @JsonPropertyDescription("Tang servers, as JSON. Example: "
                    + "[{\"url\":\"http://tang.example.com:7500\",\"thumbprint\":\"PLjNyRdGw03zlRoGjQYMahSZGu9\"}].")
            @Size(max = 16384)
            @Nullable
            String tangServers) {}

    @ApiType
    @JsonClassDescription("Optional parts of OpenShift that the cluster has.")
    public record Capabilities(
            @JsonPropertyDescription("Set of capabilities to start from: None, vCurrent, or v4.N, the set of that "
                    + "release. Absent: None on platform BareMetal, else vCurrent.")
            @Size(max = 32)
            @ValidationRule(
                    value = "self == '' || self.matches('^(None|vCurrent|v4[.][0-9]+)$')",
                    message = "capabilities.baselineCapability takes a set of capabilities: write None, vCurrent or "
                            + "v4.N, such as v4.18")
            @Nullable
            String baselineCapability,

            @JsonPropertyDescription(
                    "Capabilities that are added to that set. Example: [NodeTuning, Console]. On platform "
                            + "BareMetal those that an installation needs come besides, and MachineAPI is left out.")
            @Size(max = 64)
            @Nullable
            List<@Size(max = 64) @Pattern(Patterns.WORD) String> additionalEnabledCapabilities) {}
}
