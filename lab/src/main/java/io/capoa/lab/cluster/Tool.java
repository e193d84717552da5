package io.capoa.lab.cluster;

/** The programs of a Kubernetes control plane that the lab runs or offers. */
public enum Tool {
    ETCD("etcd", "etcd", "go.etcd.io/etcd/server/v3", "."),
    KUBE_APISERVER("kube-apiserver", "kubernetes", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
    KUBE_CONTROLLER_MANAGER(
            "kube-controller-manager",
            "kubernetes",
            "k8s.io/kubernetes",
            "k8s.io/kubernetes/cmd/kube-controller-manager"),
    KUBECTL("kubectl", "kubernetes", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kubectl");

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
}
