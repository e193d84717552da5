package io.capoa.api.contract;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/** Cluster API's ExtensionConfig: a runtime extension and, in its status, the hooks that it handles. */
@Group("runtime.cluster.x-k8s.io")
@Version("v1beta2")
@Kind("ExtensionConfig")
public class ExtensionConfig extends ContractKind {}
