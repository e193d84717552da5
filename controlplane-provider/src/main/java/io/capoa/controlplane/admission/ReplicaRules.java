package io.capoa.controlplane.admission;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.controlplane.v1beta1.ArbiterSettings;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.rules.Section;
import io.capoa.controlplane.install.Platform;
import io.capoa.controlplane.release.DistributionVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules for the roles of hosts that depend on release and platform. */
final class ReplicaRules {

    /** Minor version since which OpenShift supports arbiters without a feature gate. */
    private static final DistributionVersion ARBITERS = DistributionVersion.ofMinor(4, 20);

    /** Minor version since which OpenShift supports arbiters on platform None. */
    private static final DistributionVersion ARBITERS_ANYWHERE = DistributionVersion.ofMinor(4, 22);

    private ReplicaRules() {}

    /** Checks {@code arbiter} of a control plane or template; what a template lacks is not checked. */
    static void arbiter(
            Section field,
            @Nullable ArbiterSettings arbiter,
            @Nullable String version,
            @Nullable ClusterConfig config) {
        if (arbiter == null || version == null) {
            return;
        }
        if (isBefore(version, ARBITERS)) {
            field.refuseTogether("needs OpenShift 4.20, and distributionVersion is " + version
                    + ": write a later one, or leave arbiter out for three control plane hosts");
            return;
        }
        if (config == null) {
            return;
        }
        Platform platform = Platform.of(config);
        boolean possible =
                platform == Platform.BARE_METAL || (platform == Platform.NONE && !isBefore(version, ARBITERS_ANYWHERE));
        if (!possible) {
            field.refuseTogether("needs platform BareMetal" + (isBefore(version, ARBITERS_ANYWHERE) ? "" : " or None")
                    + ", and the platform is " + platform.type()
                    + ": give config.apiVIPs and config.ingressVIPs, or leave arbiter out");
        }
    }

    /** The arbiter's kubelet reads no labels; those without variables are brought to its Node in another way. */
    static void arbiterLabels(
            Section hosts, @Nullable ArbiterSettings arbiter, @Nullable OpenshiftAssistedConfigSpec spec) {
        NodeRegistration node = spec == null ? null : spec.nodeRegistration();
        List<String> labels = node == null ? null : node.kubeletExtraLabels();
        for (int i = 0; arbiter != null && labels != null && i < labels.size(); i++) {
            if (labels.get(i).contains("$") && !labels.get(i).startsWith(Labels.METAL3_UUID + "=")) {
                hosts.in("nodeRegistration")
                        .at("kubeletExtraLabels", i)
                        .warn("does not reach the arbiter, whose kubelet reads no labels: give its Node the label by"
                                + " hand, or write one without a variable");
            }
        }
    }

    private static boolean isBefore(String version, DistributionVersion first) {
        return DistributionVersion.parse(version)
                .filter(parsed -> parsed.compareTo(first) < 0)
                // A pre-release of the first version, such as one of OKD, has what it brings.
                .filter(parsed -> parsed.major() != first.major() || parsed.minor() != first.minor())
                .isPresent();
    }
}
