package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** Metal3's Metal3Machine: a Machine's claim on a BareMetalHost, in the version that obeys the v1beta2 contract. */
@Group("infrastructure.cluster.x-k8s.io")
@Version("v1beta2")
@Kind("Metal3Machine")
public class Metal3Machine extends ContractKind implements Namespaced {}
