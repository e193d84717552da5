package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** assisted-service's AgentClusterInstall: the installation of one cluster. */
@Group("extensions.hive.openshift.io")
@Version("v1beta1")
@Kind("AgentClusterInstall")
public class AgentClusterInstall extends ContractKind implements Namespaced {}
