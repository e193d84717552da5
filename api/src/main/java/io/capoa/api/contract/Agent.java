package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** assisted-service's Agent: one discovered host. */
@Group("agent-install.openshift.io")
@Version("v1beta1")
@Kind("Agent")
public class Agent extends ContractKind implements Namespaced {}
