package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Consent and choices that an upgrade of the cluster needs. */
@ApiType
@JsonClassDescription("Consent and choices that an upgrade of the cluster needs. An upgrade starts when "
        + "distributionVersion of an installed cluster is changed.")
public record UpgradeSettings(
        @JsonPropertyDescription("Update channel of the cluster, written to ClusterVersion.spec.channel before the "
                + "upgrade. Updates to the next minor version are in that version's channels. Example: stable-4.21. "
                + "Absent: the cluster's channel stays.")
        @Size(min = 1, max = 128)
        @Pattern(Patterns.ONE_LINE)
        @Nullable
        String channel,

        @JsonPropertyDescription("Administrator acknowledgements to give, by the key of the gate in ConfigMap "
                + "openshift-config-managed/admin-gates. Read what the gate says before you add it. Example: "
                + "ack-4.20-kube-1.34-api-removals-in-4.21.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.all(x, self.exists_one(y, x == y))",
                message = "spec.upgrade.acknowledgements has an entry twice: write each once",
                messageExpression = "'spec.upgrade.acknowledgements has ' + "
                        + "self.filter(x, !self.exists_one(y, x == y))[0] + ' twice: write it once'")
        @Nullable
        List<@Size(min = 1, max = 253) String> acknowledgements,

        @JsonPropertyDescription(
                "Known risks to accept, by name, so that an update which is not recommended because of "
                        + "them is made.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.all(x, self.exists_one(y, x == y))",
                message = "spec.upgrade.acceptedRisks has an entry twice: write each once",
                messageExpression = "'spec.upgrade.acceptedRisks has ' + "
                        + "self.filter(x, !self.exists_one(y, x == y))[0] + ' twice: write it once'")
        @Nullable
        List<@Size(min = 1, max = 253) String> acceptedRisks,

        @JsonPropertyDescription("Whether to upgrade to a release that the update service does not list for this "
                + "cluster: for clusters without an update service. The release has to be signed, and its image has to "
                + "be available by digest.")
        @Nullable
        Boolean allowExplicitUpgrade,

        @JsonPropertyDescription("Whether the cluster makes the update although its own checks fail: signature, "
                + "Upgradeable, version. Dangerous; remove it after the upgrade.")
        @Nullable
        Boolean force,

        @JsonPropertyDescription(
                "MachineConfigPools of workers that are paused, by name, such as worker. Their nodes keep "
                        + "the release that they run while the control plane is upgraded, for example over two minor versions "
                        + "with one restart of the workers. A pool that is taken from the list goes on. At most 16.")
        @Size(max = 16)
        @ValidationRule(
                value = "self.all(x, self.exists_one(y, x == y))",
                message = "spec.upgrade.pausedWorkerPools has an entry twice: write each once",
                messageExpression = "'spec.upgrade.pausedWorkerPools has ' + "
                        + "self.filter(x, !self.exists_one(y, x == y))[0] + ' twice: write it once'")
        @ValidationRule(
                value = "self.all(pool, pool != 'master')",
                message = "spec.upgrade.pausedWorkerPools must not name master: an upgrade with a paused control plane "
                        + "never ends")
        @Nullable
        List<@Size(min = 1, max = 253) String> pausedWorkerPools) {}
