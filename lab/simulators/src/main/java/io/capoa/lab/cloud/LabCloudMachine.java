package io.capoa.lab.cloud;

import io.capoa.api.contract.ContractKind;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** An instance of the simulated cloud. */
@Group("infrastructure.lab.capoa.io")
@Version("v1beta1")
@Kind("LabCloudMachine")
public class LabCloudMachine extends ContractKind implements Namespaced {}
