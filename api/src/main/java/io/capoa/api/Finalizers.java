package io.capoa.api;

/** Finalizers that the providers put on their own objects. */
public final class Finalizers {

    /** On an OpenshiftAssistedConfig: until its InfraEnv is gone. */
    public static final String CONFIG = "openshiftassistedconfig.bootstrap.cluster.x-k8s.io/deprovision";

    /** On an OpenshiftAssistedControlPlane: until its Machines and the installation's objects are gone. */
    public static final String CONTROL_PLANE =
            "openshiftassistedcontrolplane.controlplane.cluster.x-k8s.io/deprovision";

    private Finalizers() {}
}
