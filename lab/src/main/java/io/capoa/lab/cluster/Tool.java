package io.capoa.lab.cluster;

/** The programs that the lab runs or offers: a Kubernetes control plane, and Cluster API's own. */
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
    CLUSTERCTL("clusterctl", "cluster-api", "sigs.k8s.io/cluster-api", "sigs.k8s.io/cluster-api/cmd/clusterctl");

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

    /** Whether every lab runs it; the others are made when they are first asked for. */
    boolean always() {
        return switch (this) {
            case ETCD, KUBE_APISERVER, KUBE_CONTROLLER_MANAGER -> true;
            case KUBECTL, CLUSTER_API_CORE, CLUSTERCTL -> false;
        };
    }

    /** Whether the standard envtest archive holds it. */
    boolean inEnvtest() {
        return switch (this) {
            case ETCD, KUBE_APISERVER, KUBECTL -> true;
            case KUBE_CONTROLLER_MANAGER, CLUSTER_API_CORE, CLUSTERCTL -> false;
        };
    }

    /** Folder below {@code lab/binaries} whose {@code go.mod} pins the program. */
    String recipe() {
        return recipe;
    }

    /** Module that gives the program its version. */
    String goModule() {
        return goModule;
    }

    /** What {@code go build} is told to build, in the recipe's folder. */
    String goPackage() {
        return goPackage;
    }

    /** Go package whose variables tell the program its version; empty where it knows it by itself. */
    String versionPackage() {
        return switch (this) {
            case ETCD -> "";
            case KUBE_APISERVER, KUBE_CONTROLLER_MANAGER, KUBECTL -> "k8s.io/component-base/version";
            case CLUSTER_API_CORE, CLUSTERCTL -> "sigs.k8s.io/cluster-api/version";
        };
    }
}
