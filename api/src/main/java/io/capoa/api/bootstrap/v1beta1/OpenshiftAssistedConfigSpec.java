package io.capoa.api.bootstrap.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.LocalReference;
import io.capoa.api.Proxy;
import io.capoa.api.schema.Atomic;
import io.capoa.api.schema.OneOf;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Discovery, boot and join settings of one host. */
@ApiType
@JsonClassDescription("Discovery, boot and join settings of one host. Discovery settings are copied to the "
        + "host's InfraEnv, settings of the installed host to its Agent.")
public record OpenshiftAssistedConfigSpec(
        @JsonPropertyDescription("Proxy that the host uses during discovery; copied to InfraEnv.spec.proxy. "
                + "The installed cluster's proxy is spec.config.proxy of the control plane.")
        @Nullable
        Proxy proxy,

        @JsonPropertyDescription("Secret in the same namespace with a pull secret under .dockerconfigjson; copied to "
                + "InfraEnv.spec.pullSecretRef. Absent: a placeholder, placeholder-pull-secret, is "
                + "created and used; it is enough for registries that require no credentials.")
        @Nullable
        LocalReference pullSecretRef,

        @JsonPropertyDescription("NTP servers, as names or IP addresses, that the host uses besides those of DHCP "
                + "during discovery; copied to InfraEnv.spec.additionalNTPSources.")
        @Size(max = 64)
        @Nullable
        List<@Size(max = 253) @Pattern(Patterns.ONE_LINE) String> additionalNTPSources,

        @JsonPropertyDescription("Public SSH key, in authorized_keys format, for user core on the host during "
                + "discovery and installation; copied to InfraEnv.spec.sshAuthorizedKey. The key of the "
                + "installed nodes is spec.config.sshAuthorizedKey of the control plane.")
        @Size(max = 65536)
        @Nullable
        String sshAuthorizedKey,

        @JsonPropertyDescription("Selects, by label, the NMStateConfigs that hold static network settings of the host; "
                + "copied to InfraEnv.spec.nmStateConfigLabelSelector. assisted-service looks for them in all "
                + "namespaces: select a label that no one else has, such as one with the name of the namespace.")
        @Atomic
        @Nullable
        LabelSelector nmStateConfigLabelSelector,

        @JsonPropertyDescription("CPU architecture of the host, as assisted-service names it: x86_64, aarch64 (or "
                + "arm64), ppc64le, s390x. Copied to InfraEnv.spec.cpuArchitecture; on control plane hosts it also "
                + "chooses the architecture of the release image. Default: x86_64.")
        @Default("x86_64")
        @Size(max = 32)
        @Pattern(Patterns.WORD)
        @Nullable
        String cpuArchitecture,

        @JsonPropertyDescription("Changes to the kernel command line, applied in this order: to the installed host, by "
                + "Agent.spec.installerArgs. Those to append also count for the discovery boot from a live ISO, by "
                + "InfraEnv.spec.kernelArguments; assisted-service can neither replace nor delete arguments there.")
        @Size(max = 64)
        @Nullable
        List<KernelArgument> kernelArguments,

        @JsonPropertyDescription("CA certificates in PEM that the host trusts during discovery; copied to "
                + "InfraEnv.spec.additionalTrustBundle.")
        @Size(max = 524288)
        @Nullable
        String additionalTrustBundle,

        @JsonPropertyDescription("Version of the discovery image, one of AgentServiceConfig.spec.osImages; copied to "
                + "InfraEnv.spec.osImageVersion once the cluster is installed, because assisted-service "
                + "rejects it on an InfraEnv of a cluster that is not. Absent: for a live ISO the minor release that "
                + "the cluster runs, else assisted-service chooses.")
        @Size(max = 64)
        @Pattern(Patterns.WORD)
        @Nullable
        String osImageVersion,

        @JsonPropertyDescription("Shell commands that run as root on the installed host, in this order, once, at the "
                + "first boot before the kubelet starts. After a failure all run again at the next boot.")
        @Size(max = 256)
        @Nullable
        List<@Size(max = 65536) String> preBootstrapCommands,

        @JsonPropertyDescription("Shell commands that run as root on the installed host, in this order, once, at the "
                + "first boot after the kubelet has started, the API server answers and the node is registered. "
                + "After a failure all run again at the next boot.")
        @Size(max = 256)
        @Nullable
        List<@Size(max = 65536) String> postBootstrapCommands,

        @JsonPropertyDescription("Directory on the installed host for the marker files pre-bootstrap.done and "
                + "post-bootstrap.done, which prevent the commands from running twice. Absolute path of "
                + "letters, digits and _ . / -. Absent: /var/lib/capoa.")
        @Size(max = 4096)
        @Pattern(Patterns.SAFE_PATH)
        @Nullable
        String bootstrapCommandSentinelDir,

        @JsonPropertyDescription("Kubeconfig file on the installed host that is used to check, before "
                + "postBootstrapCommands run, that the API server answers and the node is registered. "
                + "Absolute path of letters, digits and _ . / -. Absent: /var/lib/kubelet/kubeconfig.")
        @Size(max = 4096)
        @Pattern(Patterns.SAFE_PATH)
        @Nullable
        String postBootstrapKubeconfigPath,

        @JsonPropertyDescription("Host name, and labels and provider ID that the kubelet registers the node with. "
                + "Values may use the variables of /etc/metadata_env on the host, which come from the "
                + "infrastructure provider's metadata: METADATA_ and the key in upper case, with _ for "
                + "-. Metal3 provides METADATA_NAME, METADATA_UUID, METADATA_METAL3_NAME, "
                + "METADATA_METAL3_NAMESPACE and METADATA_LOCAL_HOSTNAME; clouds: see metadataSource.")
        @Nullable
        NodeRegistration nodeRegistration,

        @JsonPropertyDescription("ConfigMap in the same namespace with registries.conf and optionally ca-bundle.crt: "
                + "mirrors that the host pulls from during discovery; copied to "
                + "InfraEnv.spec.mirrorRegistryRef. The mirrors of the installed cluster are "
                + "spec.config.imageRegistryRef of the control plane.")
        @Nullable
        LocalReference mirrorRegistryRef,

        @JsonPropertyDescription("Name of the host and its node, set by Agent.spec.hostname: MachineName, the "
                + "Machine's name; HostName, the BareMetalHost's name; None, the host's own name. "
                + "Absent: None. Do not combine it with nodeRegistration.name.")
        @OneOf({HOSTNAME_NONE, HOSTNAME_MACHINE, HOSTNAME_HOST})
        @Nullable
        String hostnamePolicy,

        @JsonPropertyDescription("Disk that the operating system is installed to, set by "
                + "Agent.spec.installation_disk_id; if several match, the first that assisted-service "
                + "lists. Absent: with a live ISO, the rootDeviceHints of the BareMetalHost if it has "
                + "any; otherwise assisted-service chooses.")
        @Size(min = 1)
        @Nullable
        DiskHints installationDisk,

        @JsonPropertyDescription("Additional arguments for coreos-installer, as far as assisted-service allows them; "
                + "appended to those of kernelArguments in Agent.spec.installerArgs. Example: " + "--copy-network.")
        @Size(max = 64)
        @Nullable
        List<@Size(min = 1, max = 4096) String> installerArgs,

        @JsonPropertyDescription("Name of the MachineConfigPool that the node joins; copied to "
                + "Agent.spec.machineConfigPool. Absent: the pool of its role.")
        @Size(max = 253)
        @Pattern(Patterns.OPTIONAL_DNS_SUBDOMAIN)
        @Nullable
        String machineConfigPool,

        @JsonPropertyDescription("Labels that assisted-service sets on the node after it has joined, by "
                + "Agent.spec.nodeLabels; they may include labels that a kubelet must not set itself, "
                + "such as node-role.kubernetes.io/infra. metal3.io/uuid is added on Metal3 hosts.")
        @Size(max = 64)
        @Nullable
        Map<String, @Size(max = 63) @Pattern(Patterns.LABEL_VALUE) String> nodeLabels,

        @JsonPropertyDescription("What the bootstrap data of a host that boots a disk image holds: Inline, the "
                + "discovery ignition; Reference, a small ignition by which the host fetches it from assisted-service "
                + "when it boots, for clouds that limit user data (AWS: 16 KiB). Absent: Inline.")
        @OneOf({DISCOVERY_IGNITION_INLINE, DISCOVERY_IGNITION_REFERENCE})
        @Nullable
        String discoveryIgnition) {

    /** Values of {@code hostnamePolicy}, then of {@code discoveryIgnition}. */
    public static final String HOSTNAME_NONE = "None";

    public static final String HOSTNAME_MACHINE = "MachineName";
    public static final String HOSTNAME_HOST = "HostName";
    public static final String DISCOVERY_IGNITION_INLINE = "Inline";
    public static final String DISCOVERY_IGNITION_REFERENCE = "Reference";

    /** A spec that leaves everything to the defaults. */
    public static final OpenshiftAssistedConfigSpec EMPTY = new OpenshiftAssistedConfigSpec(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null);

    /** Whether the host fetches its discovery ignition from assisted-service. */
    public boolean refersToDiscoveryIgnition() {
        return DISCOVERY_IGNITION_REFERENCE.equals(discoveryIgnition);
    }

    /** Properties of a disk, all of which have to match; the fields are those of a BareMetalHost's rootDeviceHints. */
    @ApiType
    @JsonClassDescription("Properties of a disk, all of which must match.")
    public record DiskHints(
            @JsonPropertyDescription("Path of the disk. Example: /dev/sda or /dev/disk/by-path/pci-0000:01:00.0.")
            @Size(max = 4096)
            @Pattern("^/dev/.+$")
            @Nullable
            String deviceName,

            @JsonPropertyDescription("SCSI address, host:channel:target:lun. Example: 0:0:0:0.")
            @Size(max = 64)
            @Pattern(Patterns.ONE_LINE)
            @Nullable
            String hctl,

            @JsonPropertyDescription("Part of the model's name.") @Size(max = 256) @Nullable
            String model,

            @JsonPropertyDescription("Part of the vendor's name.") @Size(max = 256) @Nullable
            String vendor,

            @JsonPropertyDescription("Serial number.") @Size(max = 256) @Nullable
            String serialNumber,

            @JsonPropertyDescription("World wide name, with or without 0x.") @Size(max = 256) @Nullable
            String wwn,

            @JsonPropertyDescription("Minimum size in gigabytes of 10^9 bytes.") @Min(0) @Nullable
            Integer minSizeGigabytes,

            @JsonPropertyDescription("True for a disk with rotating platters, false for one without.") @Nullable
            Boolean rotational) {}

    /** A change to the kernel command line of the installed host. */
    @ApiType
    @JsonClassDescription("A change to the kernel command line of the installed host.")
    public record KernelArgument(
            @JsonPropertyDescription("What to do with the argument: append, replace or delete.")
            @Required
            @OneOf({"append", "replace", "delete"})
            @Nullable
            String operation,

            @JsonPropertyDescription("The argument, name or name=value, without spaces outside of double quotes. "
                    + "Example: rd.net.timeout.carrier=60.")
            @Required
            @Size(max = 4096)
            @Pattern("^(?:(?:[^ \\t\\n\\r\"]+)|(?:\"[^\"]*\"))+$")
            @Nullable
            String value) {}

    /** Host name, and labels and provider ID that the kubelet registers the node with. */
    @ApiType
    @JsonClassDescription("Host name, and labels and provider ID that the kubelet registers the node with.")
    public record NodeRegistration(
            @JsonPropertyDescription(
                    "Variable that holds the host's name. Example: $METADATA_NAME. Absent: DHCP or the "
                            + "image names the host.")
            @Size(max = 253)
            @ValidationRule(
                    value =
                            "self == '' || self.matches('^([$]?[A-Za-z_][A-Za-z0-9_]*|[$][{][A-Za-z_][A-Za-z0-9_]*[}])$')",
                    message = "nodeRegistration.name takes the name of a metadata variable: "
                            + "write it as $METADATA_NAME, not as a host name")
            @Nullable
            String name,

            @JsonPropertyDescription(
                    "Labels that the kubelet registers its node with, each as key=value. A value may be a "
                            + "variable. Metal3's label metal3.io/uuid is set automatically by "
                            + "Agent.spec.nodeLabels. An arbiter's kubelet reads none; labels without variables reach its "
                            + "node by Agent.spec.nodeLabels.")
            @Size(max = 64)
            @ValidationRule(
                    value = "self.all(label, label.matches('^[^=]+='))",
                    message = "nodeRegistration.kubeletExtraLabels takes labels as key=value: "
                            + "write metal3.io/uuid=$METADATA_UUID, for example")
            @Nullable
            List<@Size(max = 1024) String> kubeletExtraLabels,

            @JsonPropertyDescription("Provider ID that the kubelet registers its node with; variables are replaced. It "
                    + "must equal spec.providerID of the Machine and cannot change later. Example: "
                    + "openstack://$METADATA_UUID, or in a cloud $METADATA_PROVIDER_ID. Absent: another component "
                    + "sets it, such as Metal3 or a cloud controller manager.")
            @Size(max = 512)
            @Pattern(Patterns.ONE_LINE)
            @Nullable
            String providerID,

            @JsonPropertyDescription("Where the host reads the metadata of the variables: ConfigDrive, a disk with the "
                    + "label config-2; AWS, Azure, GCP or OpenStack, the cloud's metadata service, which provides "
                    + "METADATA_LOCAL_HOSTNAME, _INSTANCE_ID, _INSTANCE_TYPE, _REGION, _ZONE and _PROVIDER_ID; None, "
                    + "nowhere. Absent: ConfigDrive.")
            @OneOf({METADATA_CONFIG_DRIVE, METADATA_AWS, METADATA_AZURE, METADATA_GCP, METADATA_OPENSTACK, METADATA_NONE
            })
            @Nullable
            String metadataSource) {

        /** Values of {@code metadataSource}. */
        public static final String METADATA_CONFIG_DRIVE = "ConfigDrive";

        public static final String METADATA_AWS = "AWS";
        public static final String METADATA_AZURE = "Azure";
        public static final String METADATA_GCP = "GCP";
        public static final String METADATA_OPENSTACK = "OpenStack";
        public static final String METADATA_NONE = "None";
    }
}
