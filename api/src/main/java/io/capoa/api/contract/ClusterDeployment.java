package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** Hive's ClusterDeployment, as assisted-service reads it. */
@Group("hive.openshift.io")
@Version("v1")
@Kind("ClusterDeployment")
public class ClusterDeployment extends ContractKind implements Namespaced {}
