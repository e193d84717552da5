package io.capoa.api.contract;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A Metal3Machine as CAPM3 has it that knows the v1beta1 contract alone. */
@Group("infrastructure.cluster.x-k8s.io")
@Version("v1beta1")
@Kind("Metal3Machine")
@Plural("metal3machines")
public class OlderMetal3Machine extends Metal3Machine {}
