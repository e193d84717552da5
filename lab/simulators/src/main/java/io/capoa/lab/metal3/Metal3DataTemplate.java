package io.capoa.lab.metal3;

import io.capoa.api.contract.ContractKind;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** CAPM3's Metal3DataTemplate: the template of a host's config drive. */
@Group("infrastructure.cluster.x-k8s.io")
@Version("v1beta2")
@Kind("Metal3DataTemplate")
public class Metal3DataTemplate extends ContractKind implements Namespaced {}
