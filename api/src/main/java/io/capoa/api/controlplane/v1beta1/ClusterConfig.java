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
@JsonClassDescription("Settings of the installed cluster. They are used at installation only; a later "
        + "change does not affect an installed cluster.")
@ValidationRule(
        value = ClusterConfigRules.VIPS_TOGETHER,
        optionalOldSelf = true,
        message = "config.apiVIPs and config.ingressVIPs go together: give both (platform BareMetal) or neither "
                + "(platform None, with load balancers of your own)")
@ValidationRule(
        value = ClusterConfigRules.VIPS_OF_PLATFORM,
        optionalOldSelf = true,
        message = "config.apiVIPs and config.ingressVIPs are for platforms BareMetal, VSphere and Nutanix: leave them "
                + "out, or write config.platform.type BareMetal")
@ValidationRule(
        value = ClusterConfigRules.PLATFORM_WITH_VIPS,
        optionalOldSelf = true,
        message = "config.platform.type BareMetal and VSphere need config.apiVIPs and config.ingressVIPs, or "
                + "config.loadBalancer.type UserManaged")
@ValidationRule(
        value = ClusterConfigRules.NUTANIX_WITH_VIPS,
        optionalOldSelf = true,
        message = "config.platform.type Nutanix needs config.apiVIPs and config.ingressVIPs: give both")
@ValidationRule(
        value = "!has(self.loadBalancer) || !has(self.loadBalancer.type) || self.loadBalancer.type != 'UserManaged' "
                + "|| !has(self.platform) || !has(self.platform.type) "
                + "|| self.platform.type in ['BareMetal', 'VSphere']",
        message = "config.loadBalancer.type UserManaged is for platforms BareMetal and VSphere: leave it out, or write "
                + "config.platform.type BareMetal")
@ValidationRule(
        value = "!has(self.loadBalancer) || !has(self.loadBalancer.type) || self.loadBalancer.type != 'ClusterManaged' "
                + "|| !has(self.platform) || !has(self.platform.type) "
                + "|| !(self.platform.type in ['None', 'External'])",
        message = "config.loadBalancer.type ClusterManaged needs virtual IPs, which platforms None and External do not "
                + "have: leave config.loadBalancer out and provide the load balancers and DNS yourself")
@ValidationRule(
        value = "!has(self.networking) || !has(self.networking.userManagedNetworking) "
                + "|| self.networking.userManagedNetworking "
                + "|| !has(self.platform) || !has(self.platform.type) "
                + "|| !(self.platform.type in ['None', 'External'])",
        message = "config.networking.userManagedNetworking false contradicts platforms None and External, where you "
                + "provide the load balancers and DNS: leave it out")
@ValidationRule(
        value = ClusterConfigRules.NETWORK_OF_PLATFORM,
        optionalOldSelf = true,
        message =
                "config.networking.userManagedNetworking true contradicts virtual IPs and platforms BareMetal, VSphere "
                        + "and Nutanix: leave it out, or write config.platform.type None without virtual IPs")
public record ClusterConfig(
        @JsonPropertyDescription("DNS domain of the cluster: the API server's name is api.<cluster>.<baseDomain>. "
                + "Example: example.com.")
        @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
                value =
                        "self.matches('^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?([.][A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$')",
                message = "config.baseDomain takes a DNS domain: write example.com, without scheme, port or "
                        + "trailing dot")
        String baseDomain,

        @JsonPropertyDescription("Name of the OpenShift cluster. Absent: the name of the Cluster.")
        @Size(max = 63)
        @ValidationRule(
                value = "self == '' || self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
                message = "config.clusterName takes a DNS name in lower case: write prod-1, for example")
        @Nullable
        String clusterName,

        @JsonPropertyDescription("Virtual IP addresses of the API server, at most one per IP family, that of the first "
                + "cluster network first. Set together with ingressVIPs, they select platform "
                + "BareMetal, where the cluster manages the addresses, unless platform.type says otherwise; without "
                + "them the platform is None and you provide the load balancers. Platforms None and External have no "
                + "virtual IP addresses. Example: [192.168.111.5].")
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

        @JsonPropertyDescription("Virtual IP addresses of the ingress routers, at most one per IP family, in the order "
                + "of apiVIPs and set together with them. Example: [192.168.111.4].")
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
        PlatformConfig platform,

        @JsonPropertyDescription("Load balancer of the API server and the ingress routers.") @Nullable
        LoadBalancer loadBalancer,

        @JsonPropertyDescription("Networks of the installed cluster in addition to Cluster.spec.clusterNetwork.")
        @Nullable
        Networking networking,

        @JsonPropertyDescription("NTP servers, as names or IP addresses, that the installed nodes use instead of all "
                + "others; copied to AgentClusterInstall.spec.ntpSources. assisted-service rejects them "
                + "together with additionalNTPSources of a host. Example: [ntp.example.com].")
        @Size(max = 64)
        @Nullable
        List<@Size(min = 1, max = 253) String> ntpSources,

        @JsonPropertyDescription("CA certificates in PEM that the installed nodes trust in addition to those of the "
                + "operating system. For hosts under discovery see "
                + "openshiftAssistedConfigSpec.additionalTrustBundle.")
        @Size(max = 262144)
        @ValidationRule(
                value = "self == '' || self.contains('-----BEGIN CERTIFICATE-----')",
                message = "config.additionalTrustBundle takes certificates in PEM: write blocks that begin with "
                        + "-----BEGIN CERTIFICATE-----")
        @Nullable
        String additionalTrustBundle,

        @JsonPropertyDescription("Whether the installation waits, even when all hosts are ready, until this is false "
                + "or absent. It has no effect once the installation has started.")
        @Nullable
        Boolean holdInstallation,

        @JsonPropertyDescription("Secret in the same namespace with the cluster's pull secret under .dockerconfigjson; "
                + "it is also used to resolve the release image. Absent: a placeholder, "
                + "placeholder-pull-secret, which is enough for registries that require no credentials.")
        @Nullable
        LocalReference pullSecretRef,

        @JsonPropertyDescription("Public SSH key, in authorized_keys format, for user core on the installed nodes.")
        @Size(max = 65536)
        @Nullable
        String sshAuthorizedKey,

        @JsonPropertyDescription("Whether workloads may run on control plane nodes. "
                + "Absent: assisted-service decides, by the number of workers.")
        @Nullable
        Boolean mastersSchedulable,

        @JsonPropertyDescription("ConfigMaps in the same namespace whose values are manifests that the installer "
                + "applies; keys must be unique across all of them.")
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

        @JsonPropertyDescription("Optional capabilities of OpenShift that the cluster has.") @Nullable
        Capabilities capabilities) {

    /** Load balancer of the API server and the ingress routers. */
    @ApiType
    @JsonClassDescription("Load balancer of the API server and the ingress routers.")
    public record LoadBalancer(
            @JsonPropertyDescription(
                    "ClusterManaged: the cluster itself, on its virtual IP addresses. UserManaged: a load "
                            + "balancer that you provide, on platforms BareMetal and VSphere. Copied to "
                            + "AgentClusterInstall.spec.loadBalancer.type. Absent: ClusterManaged. Platforms None and "
                            + "External take neither value: there the load balancers are always yours.")
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

            @JsonPropertyDescription("Source of the key: tpmv2, the host's TPM, or tang, servers in the network.")
            @OneOf({"tpmv2", "tang"})
            @Nullable
            String mode,

            @JsonPropertyDescription("Tang servers, as JSON. Example: "
                    + "[{\"url\":\"http://tang.example.com:7500\",\"thumbprint\":\"PLjNyRdGw03zlRoGjQYMahSZGu9\"}].")
            @Size(max = 16384)
            @Nullable
            String tangServers) {}

    @ApiType
    @JsonClassDescription("Optional capabilities of OpenShift that the cluster has.")
    public record Capabilities(
            @JsonPropertyDescription("Set of capabilities to start from: None, vCurrent, or v4.N, the set of that "
                    + "release. Absent: None on platform BareMetal, else vCurrent. To None, the capabilities that "
                    + "platforms VSphere, Nutanix and External with a cloud controller manager require are added.")
            @Size(max = 32)
            @ValidationRule(
                    value = "self == '' || self.matches('^(None|vCurrent|v4[.][0-9]+)$')",
                    message = "capabilities.baselineCapability takes a set of capabilities: write None, vCurrent or "
                            + "v4.N, such as v4.18")
            @Nullable
            String baselineCapability,

            @JsonPropertyDescription(
                    "Capabilities in addition to that set. Example: [NodeTuning, Console]. On platform "
                            + "BareMetal, capabilities that an installation needs are added, and MachineAPI is "
                            + "removed.")
            @Size(max = 64)
            @Nullable
            List<@Size(max = 64) @Pattern(Patterns.WORD) String> additionalEnabledCapabilities) {}
}
