package io.capoa.lab.upgrade;

import java.util.List;

/** The cluster operators in the order of their run levels. */
public final class Operators {

    /** The operator of Nodes' configuration, which ends every upgrade. */
    public static final String MACHINE_CONFIG = "machine-config";

    /** The operator of etcd. */
    public static final String ETCD = "etcd";

    /** The operator that restarts the API servers. */
    public static final String KUBE_APISERVER = "kube-apiserver";

    /** Run levels 10, 20, 25, 30, 50, 70 and 80. */
    public static final List<String> IN_ORDER = List.of(
            "config-operator",
            ETCD,
            KUBE_APISERVER,
            "kube-controller-manager",
            "kube-scheduler",
            "openshift-apiserver",
            "authentication",
            "console",
            "ingress",
            "dns",
            "network",
            MACHINE_CONFIG);

    private Operators() {}
}
