package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.schema.OneOf;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Platform that OpenShift is configured for. */
@ApiType
@JsonClassDescription("Platform that OpenShift is configured for.")
@ValidationRule(
        value = "!has(self.platformName) || self.platformName == '' || (has(self.type) && self.type == 'External')",
        message = "config.platform.platformName is for platform External: leave it out, or write config.platform.type "
                + "External")
@ValidationRule(
        value = "!has(self.cloudControllerManager) || (has(self.type) && self.type == 'External')",
        message = "config.platform.cloudControllerManager is for platform External: leave it out, or write "
                + "config.platform.type External")
public record PlatformConfig(
        @JsonPropertyDescription(
                "BareMetal, VSphere and Nutanix: the cluster manages its virtual IP addresses, apiVIPs and ingressVIPs; "
                        + "on BareMetal and VSphere you may provide the load balancer instead. None and External: you "
                        + "provide the load balancers and the DNS names api, api-int and *.apps; External is for "
                        + "clouds. Absent: BareMetal if apiVIPs are set or loadBalancer.type is UserManaged, otherwise "
                        + "None.")
        @OneOf({"BareMetal", "None", "External", "VSphere", "Nutanix"})
        @Nullable
        String type,

        @JsonPropertyDescription("Name of the infrastructure provider on platform External, for information. It cannot "
                + "change once the cluster is registered with assisted-service. Example: oci. Absent: Unknown.")
        @Size(max = 253)
        @Pattern(Patterns.ONE_LINE)
        @Nullable
        String platformName,

        @JsonPropertyDescription("Cloud controller manager on platform External. External: you install one, with the "
                + "manifests in manifestsConfigMapRefs; kubelets run with --cloud-provider=external, and Nodes keep the "
                + "taint node.cloudprovider.kubernetes.io/uninitialized until it has initialized them. None: there is "
                + "none. Absent: None.")
        @OneOf({"External", "None"})
        @Nullable
        String cloudControllerManager) {

    public static final String BARE_METAL = "BareMetal";
    public static final String NONE = "None";
    public static final String EXTERNAL = "External";
    public static final String VSPHERE = "VSphere";
    public static final String NUTANIX = "Nutanix";

    /** {@link #cloudControllerManager} of a user who installs one. */
    public static final String CLOUD_CONTROLLER_MANAGER_EXTERNAL = "External";
}
