package io.capoa.lab.cluster;

import java.util.List;

/** Users of a management cluster of the lab; none of them is an administrator. */
public final class KnownUsers {

    public static final String BOOTSTRAP_PROVIDER = "capoa-bootstrap";
    public static final String CONTROL_PLANE_PROVIDER = "capoa-controlplane";
    public static final String CLUSTER_API = "cluster-api";
    public static final String METAL3 = "metal3";
    public static final String CLOUD = "lab-cloud";
    public static final String ASSISTED_SERVICE = "assisted-service";
    public static final String WORKLOAD = "workload-clusters";
    public static final String NODE = "local-node";
    public static final String CERT_MANAGER = "cert-manager";

    /** A user without rights, which tests grant. */
    public static final String LIMITED = "limited";

    /** All users. */
    public static final List<String> ALL = List.of(
            ASSISTED_SERVICE,
            BOOTSTRAP_PROVIDER,
            CONTROL_PLANE_PROVIDER,
            CERT_MANAGER,
            CLOUD,
            CLUSTER_API,
            LIMITED,
            NODE,
            METAL3,
            WORKLOAD);

    private KnownUsers() {}
}
