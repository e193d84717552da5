package io.capoa.controlplane.install;

import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Platform type of the OpenShift cluster. */
public enum Platform {
    /** The cluster serves API and ingress on virtual IPs of its nodes. */
    BARE_METAL("BareMetal"),
    /** A load balancer outside the cluster, or a single node. */
    NONE("None");

    private final String type;

    Platform(String type) {
        this.type = type;
    }

    /** As {@code AgentClusterInstall.spec.platformType} takes it. */
    public String type() {
        return type;
    }

    /** The user's choice; by default BareMetal if there are virtual IPs or a load balancer. */
    public static Platform of(@Nullable ClusterConfig config) {
        if (config == null) {
            return NONE;
        }
        String said = config.platform() == null ? null : config.platform().type();
        if (said != null) {
            return said.equals(BARE_METAL.type) ? BARE_METAL : NONE;
        }
        boolean addresses = given(config.apiVIPs()) && given(config.ingressVIPs());
        return addresses || userManagedLoadBalancer(config) ? BARE_METAL : NONE;
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
