package io.capoa.bootstrap.config.observe;

import io.capoa.api.contract.ContractKind;
import io.capoa.api.contract.Fields;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An OpenshiftAssistedControlPlane, of which only the release that its cluster runs is read. */
@Group("controlplane.cluster.x-k8s.io")
@Version("v1beta1")
@Kind("OpenshiftAssistedControlPlane")
class ControlPlaneRelease extends ContractKind implements Namespaced {

    private static final String VERSION = "distributionVersion";

    /** Keeps of the object what is read, which changes once an upgrade. */
    static ControlPlaneRelease pruned(ControlPlaneRelease controlPlane) {
        return CachePruning.status(CachePruning.fields(controlPlane, Set.of("status")), Set.of(VERSION));
    }

    /** The last release whose installation or upgrade is complete, such as {@code 4.21.3}; {@code null} before. */
    @Nullable
    String version() {
        return Fields.string(this, "status", VERSION);
    }
}
