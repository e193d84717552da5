package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import org.jspecify.annotations.Nullable;

/** The wanted control plane. */
@ApiType
@JsonClassDescription("The wanted control plane.")
@ValidationRule(
        value = "!has(self.arbiter) || !has(self.replicas) || self.replicas == 3",
        message = "spec.replicas counts the arbiter too: with spec.arbiter write 3, for two control plane hosts and "
                + "one arbiter")
@ValidationRule(
        value = ReplicaCountRules.SUPPORTED_BY_RELEASE,
        optionalOldSelf = true,
        message = "spec.replicas takes 4 and 5 hosts from OpenShift 4.18 on: write 3, or a later "
                + "spec.distributionVersion")
@ValidationRule(
        value = ReplicaCountRules.SINGLE_HAS_NO_VIPS,
        optionalOldSelf = true,
        message = "spec.replicas 1 is a single node, which has no virtual addresses: leave config.apiVIPs, "
                + "config.ingressVIPs, config.loadBalancer and platforms BareMetal, VSphere and Nutanix out, or write 3, "
                + "4 or 5")
@ValidationRule(
        value = "has(self.arbiter) == has(oldSelf.arbiter)",
        message = "spec.arbiter cannot be added or removed later, because the roles of hosts are fixed: create another "
                + "control plane")
public record OpenshiftAssistedControlPlaneSpec(
        @JsonPropertyDescription(
                "OpenShift or OKD release to install and, after a change, to upgrade to, without leading v. "
                        + "It becomes the tag of the release image. Example: 4.20.3 or 4.20.0-okd-scos.5.")
        @Required
        @Size(min = 1, max = 128)
        @Pattern(Patterns.ONE_LINE)
        String distributionVersion,

        @JsonPropertyDescription("Kubernetes version of that release, as its kubelet reports it. A ClusterClass sets "
                + "it from Cluster.spec.topology.version; it then must match the release. Example: "
                + "v1.33.6. Absent: taken from the release. Set the OpenShift version in " + "distributionVersion.")
        @Size(min = 1, max = 256)
        @ValidationRule(
                value =
                        "self.matches('^v?(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?([+][0-9A-Za-z.-]+)?$')",
                message = "spec.version takes a Kubernetes version of three numbers: write v1.33.6, for example; "
                        + "the OpenShift version goes to spec.distributionVersion")
        @ValidationRule(
                value = "!self.matches('^v?4[.]')",
                message = "spec.version takes the Kubernetes version, not that of OpenShift: write v1.33.6, for "
                        + "example, and the OpenShift version to spec.distributionVersion")
        @Nullable
        String version,

        @JsonPropertyDescription("Number of control plane Machines: 1 (single node), 3, 4 or 5. With spec.arbiter "
                + "3, one of which is the arbiter. While it is absent, no Machine is created or deleted.")
        @SpecReplicas
        @ValidationRule(
                value = "self != 2",
                message = "spec.replicas counts the arbiter too, and two hosts alone are not supported: write 3, with "
                        + "spec.arbiter if only two of the hosts can carry a control plane")
        @ValidationRule(
                value = "self in [1, 2, 3, 4, 5]",
                message = "spec.replicas takes the number of control plane hosts that OpenShift can be installed "
                        + "on: write 1, 3, 4 or 5")
        @Nullable
        Integer replicas,

        @JsonPropertyDescription("Template of the control plane Machines.") @Required
        MachineTemplate machineTemplate,

        @JsonPropertyDescription(
                "Makes one of the Machines an arbiter: two hosts carry the control plane, the third only "
                        + "keeps etcd's majority. Takes OpenShift 4.20 and platform BareMetal, from 4.22 on also None.")
        @Nullable
        ArbiterSettings arbiter,

        @JsonPropertyDescription("How the Machines are named. Absent: the control plane's name and five characters.")
        @Nullable
        MachineNaming machineNaming,

        @JsonPropertyDescription("Discovery, boot and join settings of the control plane hosts: the spec of each of "
                + "their OpenshiftAssistedConfigs.")
        @Nullable
        OpenshiftAssistedConfigSpec openshiftAssistedConfigSpec,

        @JsonPropertyDescription("Settings of the installed cluster.") @Nullable
        ClusterConfig config,

        @JsonPropertyDescription("Consent and choices that an upgrade of the cluster needs.") @Nullable
        UpgradeSettings upgrade,

        @JsonPropertyDescription(
                "How Machines of an installed control plane are replaced that no longer match the " + "spec.")
        @Nullable
        RolloutSettings rollout,

        @JsonPropertyDescription("Limits for the replacement of Machines that a MachineHealthCheck finds unhealthy.")
        @Nullable
        RemediationSettings remediation) {}
