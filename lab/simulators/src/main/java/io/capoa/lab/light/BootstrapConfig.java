package io.capoa.lab.light;

import io.capoa.api.contract.ContractKind;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** An OpenshiftAssistedConfig as its peers see it, with fields that this module need not know. */
@Group("bootstrap.cluster.x-k8s.io")
@Version("v1beta1")
@Kind("OpenshiftAssistedConfig")
public class BootstrapConfig extends ContractKind implements Namespaced {}
