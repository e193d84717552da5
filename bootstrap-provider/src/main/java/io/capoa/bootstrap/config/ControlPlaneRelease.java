package io.capoa.bootstrap.config;

import io.capoa.api.contract.ContractKind;
import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** An OpenshiftAssistedControlPlane, of which only the release that its cluster runs is read. */
@Group("controlplane.cluster.x-k8s.io")
@Version("v1beta1")
@Kind("OpenshiftAssistedControlPlane")
class ControlPlaneRelease extends ContractKind implements Namespaced {

    /** Field of the status. */
    static final String FIELD = "distributionVersion";

    /** The last release whose installation or upgrade is complete, such as {@code 4.21.3}; {@code null} before. */
    @Nullable
    String version() {
        return Fields.string(this, "status", FIELD);
    }
}
