package io.capoa.api.controlplane.v1beta1;

/**
 * Rules between fields of a {@link ClusterConfig}, in CEL. Objects of older versions, and changes through these, are
 * not subject to them. Kubernetes tolerates a violation only while the whole config is unchanged, so each rule tolerates
 * one that was there before: {@code optMap} evaluates it again with the old config as {@code self}.
 */
final class ClusterConfigRules {

    private static final String UNLESS_BEFORE = ") || !oldSelf.optMap(self, ";
    private static final String ELSE_NEW = ").orValue(true)";
    private static final String HAS_VIPS = "(has(self.apiVIPs) && size(self.apiVIPs) > 0)";
    private static final String HAS_TYPE = "has(self.platform) && has(self.platform.type)";

    private static final String BOTH = HAS_VIPS + " == (has(self.ingressVIPs) && size(self.ingressVIPs) > 0)";
    static final String VIPS_TOGETHER = "(" + BOTH + UNLESS_BEFORE + BOTH + ELSE_NEW;

    private static final String SUITED =
            "!(" + HAS_TYPE + " && self.platform.type in ['None', 'External']) || !" + HAS_VIPS;
    static final String VIPS_OF_PLATFORM = "(" + SUITED + UNLESS_BEFORE + SUITED + ELSE_NEW;

    private static final String BALANCED = "!(" + HAS_TYPE + " && self.platform.type in ['BareMetal', 'VSphere']) || "
            + HAS_VIPS + " || (has(self.loadBalancer) && has(self.loadBalancer.type)"
            + " && self.loadBalancer.type == 'UserManaged')";
    static final String PLATFORM_WITH_VIPS = "(" + BALANCED + UNLESS_BEFORE + BALANCED + ELSE_NEW;

    private static final String ADDRESSED = "!(" + HAS_TYPE + " && self.platform.type == 'Nutanix') || " + HAS_VIPS;
    static final String NUTANIX_WITH_VIPS = "(" + ADDRESSED + UNLESS_BEFORE + ADDRESSED + ELSE_NEW;

    private static final String OWN_NETWORK = "!(has(self.networking) && has(self.networking.userManagedNetworking)"
            + " && self.networking.userManagedNetworking) || !(" + HAS_TYPE
            + " ? self.platform.type in ['BareMetal', 'VSphere', 'Nutanix'] : " + HAS_VIPS + ")";
    static final String NETWORK_OF_PLATFORM = "(" + OWN_NETWORK + UNLESS_BEFORE + OWN_NETWORK + ELSE_NEW;

    private ClusterConfigRules() {}
}
