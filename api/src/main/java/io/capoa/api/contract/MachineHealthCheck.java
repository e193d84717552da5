package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** Cluster API's MachineHealthCheck. */
@Group("cluster.x-k8s.io")
@Version("v1beta2")
@Kind("MachineHealthCheck")
public class MachineHealthCheck extends ContractKind implements Namespaced {}
