package io.capoa.controlplane.install;

import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.PlatformConfig;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Platform type of the OpenShift cluster. */
public enum Platform {
    BARE_METAL(PlatformConfig.BARE_METAL),
    VSPHERE(PlatformConfig.VSPHERE),
    NUTANIX(PlatformConfig.NUTANIX),
    /** A load balancer outside the cluster, or a single node. */
    NONE(PlatformConfig.NONE),
    /** A cloud that OpenShift has no integration for; load balancer and cloud controller manager are the user's. */
    EXTERNAL(PlatformConfig.EXTERNAL);

    private final String type;

    Platform(String type) {
        this.type = type;
    }

    /** As {@code AgentClusterInstall.spec.platformType} takes it. */
    public String type() {
        return type;
    }

    /** Whether the cluster can serve API and ingress on virtual IPs of its nodes, which takes several nodes. */
    public boolean hasVirtualAddresses() {
        return this == BARE_METAL || this == VSPHERE || this == NUTANIX;
    }

    /** The user's choice; by default BareMetal if there are virtual IPs or a load balancer. */
    public static Platform of(@Nullable ClusterConfig config) {
        if (config == null) {
            return NONE;
        }
        String said = config.platform() == null ? null : config.platform().type();
        if (said != null) {
            return Arrays.stream(values())
                    .filter(platform -> platform.type.equals(said))
                    .findFirst()
                    .orElse(NONE);
        }
        boolean addresses = given(config.apiVIPs()) && given(config.ingressVIPs());
        return addresses || userManagedLoadBalancer(config) ? BARE_METAL : NONE;
    }

    /**
     * Whether the user installs a cloud controller manager: kubelets run with {@code --cloud-provider=external}, and
     * their Nodes are tainted until it has initialized them.
     */
    public static boolean hasUsersCloudControllerManager(@Nullable ClusterConfig config) {
        PlatformConfig platform = config == null ? null : config.platform();
        return platform != null
                && EXTERNAL.type.equals(platform.type())
                && PlatformConfig.CLOUD_CONTROLLER_MANAGER_EXTERNAL.equals(platform.cloudControllerManager());
    }

    private static boolean userManagedLoadBalancer(ClusterConfig config) {
        return config.loadBalancer() != null
                && ClusterConfig.LoadBalancer.USER_MANAGED.equals(
                        config.loadBalancer().type());
    }

    private static boolean given(@Nullable List<String> addresses) {
        return addresses != null && !addresses.isEmpty();
    }
}
