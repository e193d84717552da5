package io.capoa.lab.cluster;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Programs that the lab and its tests can run: a Kubernetes control plane, kubectl, and controllers written in Go. */
public enum Tool {
    ETCD("etcd", "etcd", "go.etcd.io/etcd/server/v3", "."),
    KUBE_APISERVER("kube-apiserver", "kubernetes", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
    KUBE_CONTROLLER_MANAGER(
            "kube-controller-manager",
            "kubernetes",
            "k8s.io/kubernetes",
            "k8s.io/kubernetes/cmd/kube-controller-manager"),
    KUBECTL("kubectl", "kubernetes", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kubectl"),
    CLUSTER_API_CORE("cluster-api-core", "cluster-api", "sigs.k8s.io/cluster-api", "sigs.k8s.io/cluster-api/core"),
    CLUSTERCTL("clusterctl", "cluster-api", "sigs.k8s.io/cluster-api", "sigs.k8s.io/cluster-api/cmd/clusterctl"),
    KUBE_STATE_METRICS(
            "kube-state-metrics", "kube-state-metrics", "k8s.io/kube-state-metrics/v2", "k8s.io/kube-state-metrics/v2");

    /** The programs of a control plane, which every lab needs; others are got on first use. */
    public static final Set<Tool> CONTROL_PLANE =
            Collections.unmodifiableSet(EnumSet.of(ETCD, KUBE_APISERVER, KUBE_CONTROLLER_MANAGER));

    private final String executable;
    private final String recipe;
    private final String goModule;
    private final String goPackage;

    Tool(String executable, String recipe, String goModule, String goPackage) {
        this.executable = executable;
        this.recipe = recipe;
        this.goModule = goModule;
        this.goPackage = goPackage;
    }

    /** File name of the program. */
    public String executable() {
        return executable;
    }

    /** Name that {@code go build} gives the program. */
    String builtName() {
        return this == CLUSTER_API_CORE ? "core" : executable;
    }

    /** Folder in {@code lab/binaries} whose {@code go.mod} pins the program. */
    String recipe() {
        return recipe;
    }

    /** Module whose version is the program's version. */
    String goModule() {
        return goModule;
    }

    /** Argument of {@code go build} in the recipe's folder. */
    String goPackage() {
        return goPackage;
    }

    /** Go package with the version variables; empty if the program needs none. */
    String versionPackage() {
        return switch (this) {
            case ETCD, KUBE_STATE_METRICS -> "";
            case KUBE_APISERVER, KUBE_CONTROLLER_MANAGER, KUBECTL -> "k8s.io/component-base/version";
            case CLUSTER_API_CORE, CLUSTERCTL -> "sigs.k8s.io/cluster-api/version";
        };
    }
}
