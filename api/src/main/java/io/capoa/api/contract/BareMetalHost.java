package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** Metal3's BareMetalHost: one physical machine. */
@Group("metal3.io")
@Version("v1alpha1")
@Kind("BareMetalHost")
public class BareMetalHost extends ContractKind implements Namespaced {}
