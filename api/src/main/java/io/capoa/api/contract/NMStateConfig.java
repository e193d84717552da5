package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** assisted-service's NMStateConfig: static network settings of a host, for the InfraEnvs that select it. */
@Group("agent-install.openshift.io")
@Version("v1beta1")
@Kind("NMStateConfig")
public class NMStateConfig extends ContractKind implements Namespaced {}
