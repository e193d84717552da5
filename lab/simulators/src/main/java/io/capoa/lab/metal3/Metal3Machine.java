package io.capoa.lab.metal3;

import io.capoa.api.contract.ContractKind;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** CAPM3's Metal3Machine: a Machine's claim on a BareMetalHost. */
@Group("infrastructure.cluster.x-k8s.io")
@Version("v1beta2")
@Kind("Metal3Machine")
public class Metal3Machine extends ContractKind implements Namespaced {}
