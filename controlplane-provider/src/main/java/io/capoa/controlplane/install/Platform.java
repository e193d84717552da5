package io.capoa.controlplane.install;

import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The platform that OpenShift is told it runs on. */
public enum Platform {
    /** The cluster keeps its API and ingress addresses itself, as VIPs on the nodes. */
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

    /** BareMetal where the user gives addresses for both the API and ingress. */
    public static Platform of(@Nullable ClusterConfig config) {
        return config != null && given(config.apiVIPs()) && given(config.ingressVIPs()) ? BARE_METAL : NONE;
    }

    private static boolean given(@Nullable List<String> addresses) {
        return addresses != null && !addresses.isEmpty();
    }
}
