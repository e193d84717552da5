package io.capoa.api.controlplane.v1beta1;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** The control plane of one OpenShift cluster. */
@Group(OpenshiftAssistedControlPlane.GROUP)
@Version("v1beta1")
@Kind("OpenshiftAssistedControlPlane")
@Plural("openshiftassistedcontrolplanes")
@Singular("openshiftassistedcontrolplane")
@ShortNames({"oacp", "oacps"})
public class OpenshiftAssistedControlPlane
        extends CustomResource<OpenshiftAssistedControlPlaneSpec, OpenshiftAssistedControlPlaneStatus>
        implements Namespaced {

    public static final String GROUP = "controlplane.cluster.x-k8s.io";

    @Override
    protected @Nullable OpenshiftAssistedControlPlaneSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable OpenshiftAssistedControlPlaneStatus initStatus() {
        return null;
    }
}
