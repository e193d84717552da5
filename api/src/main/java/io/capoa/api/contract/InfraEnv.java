package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** assisted-service's InfraEnv: boot media for hosts. */
@Group("agent-install.openshift.io")
@Version("v1beta1")
@Kind("InfraEnv")
public class InfraEnv extends ContractKind implements Namespaced {}
