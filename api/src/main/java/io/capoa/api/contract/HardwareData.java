package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Metal3's HardwareData: what the inspection of the BareMetalHost of the same name has found. */
@Group("metal3.io")
@Version("v1alpha1")
@Kind("HardwareData")
@Plural("hardwaredata")
public class HardwareData extends ContractKind implements Namespaced {}
