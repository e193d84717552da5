package io.capoa.api.controlplane.v1beta1;

/**
 * Rules for {@code spec.replicas} in CEL, which the API server applies to the scale subresource, too. Those between fields
 * tolerate a violation that was there before, as {@link ClusterConfigRules} does.
 */
final class ReplicaCountRules {

    /** Of the whole object: OpenShift fixes at its installation whether a cluster is a single node. */
    static final String SINGLE_STAYS_SINGLE = "!has(oldSelf.status) || !has(oldSelf.status.initialization)"
            + " || !has(oldSelf.status.initialization.controlPlaneInitialized)"
            + " || !oldSelf.status.initialization.controlPlaneInitialized"
            + " || !has(self.spec.replicas) || !has(oldSelf.spec.replicas)"
            + " || (self.spec.replicas == 1) == (oldSelf.spec.replicas == 1)";

    private static final String UNLESS_BEFORE = ") || !oldSelf.optMap(self, ";
    private static final String ELSE_NEW = ").orValue(true)";

    private static final String OF_RELEASE = "!has(self.replicas) || self.replicas <= 3"
            + " || !self.distributionVersion.matches('^4[.]([0-9]|1[0-7])[.]')";
    static final String SUPPORTED_BY_RELEASE = "(" + OF_RELEASE + UNLESS_BEFORE + OF_RELEASE + ELSE_NEW;

    private static final String ADDRESSED = "!has(self.replicas) || self.replicas != 1 || !has(self.config)"
            + " || !(has(self.config.platform) && has(self.config.platform.type)"
            + " ? self.config.platform.type in ['BareMetal', 'VSphere', 'Nutanix']"
            + " : (has(self.config.apiVIPs) && size(self.config.apiVIPs) > 0)"
            + " || (has(self.config.loadBalancer) && has(self.config.loadBalancer.type)"
            + " && self.config.loadBalancer.type == 'UserManaged'))";
    static final String SINGLE_HAS_NO_VIPS = "(" + ADDRESSED + UNLESS_BEFORE + ADDRESSED + ELSE_NEW;

    private ReplicaCountRules() {}
}
