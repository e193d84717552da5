package io.capoa.controlplane.workload.upgrade;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** The ClusterVersion of a workload cluster as an API object; its only one is named {@value #NAME}. */
@Group("config.openshift.io")
@Version("v1")
@Kind("ClusterVersion")
@Plural("clusterversions")
public final class OpenshiftClusterVersion extends GenericKubernetesResource {

    static final String NAME = "version";

    private static final long serialVersionUID = 1L;
}
