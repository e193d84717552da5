package io.capoa.lab.metal3;

import io.capoa.api.contract.ContractKind;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** CAPM3's Metal3Remediation: the request to reboot the host of an unhealthy Machine. */
@Group("infrastructure.cluster.x-k8s.io")
@Version("v1beta2")
@Kind("Metal3Remediation")
public class Metal3Remediation extends ContractKind implements Namespaced {}
