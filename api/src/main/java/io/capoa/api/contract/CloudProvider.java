package io.capoa.api.contract;

/** Names that Kubernetes and OpenShift have for the cloud controller manager of an external cloud provider. */
public final class CloudProvider {

    /** Namespace of the cloud controller manager, as in OpenShift's own clusters. */
    public static final String NAMESPACE = "openshift-cloud-controller-manager";

    /** Taint of a Node until a cloud controller manager has initialized it (Kubernetes, cloud provider). */
    public static final String TAINT = "node.cloudprovider.kubernetes.io/uninitialized";

    private CloudProvider() {}
}
