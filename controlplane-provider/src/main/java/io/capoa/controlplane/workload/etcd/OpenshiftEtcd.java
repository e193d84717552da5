package io.capoa.controlplane.workload.etcd;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Settings and status of a workload cluster's etcd operator as an API object; its only one is named {@value #NAME}. */
@Group("operator.openshift.io")
@Version("v1")
@Kind("Etcd")
@Plural("etcds")
public final class OpenshiftEtcd extends GenericKubernetesResource {

    static final String NAME = "cluster";

    private static final long serialVersionUID = 1L;
}
