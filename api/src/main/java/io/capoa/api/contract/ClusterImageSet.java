package io.capoa.api.contract;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** Hive's ClusterImageSet: a release image under a cluster-scoped name. */
@Group("hive.openshift.io")
@Version("v1")
@Kind("ClusterImageSet")
public class ClusterImageSet extends ContractKind {}
