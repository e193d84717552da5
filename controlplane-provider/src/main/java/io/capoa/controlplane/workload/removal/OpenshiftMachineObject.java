package io.capoa.controlplane.workload.removal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A Machine of a workload cluster's own Machine API as an API object. */
@Group("machine.openshift.io")
@Version("v1beta1")
@Kind("Machine")
@Plural("machines")
public final class OpenshiftMachineObject extends GenericKubernetesResource implements Namespaced {

    private static final long serialVersionUID = 1L;
}
