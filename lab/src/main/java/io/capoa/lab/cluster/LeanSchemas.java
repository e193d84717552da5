package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;

/**
 * The lab's own CRDs for the kinds of others: structural, and with no more than what the providers and the simulated
 * neighbours read or write. Every field stands in the publisher's CRD too, with the same type; a test checks that.
 */
final class LeanSchemas {

    private static final List<String> NAMES = List.of(
            "agentclusterinstalls.extensions.hive.openshift.io",
            "agents.agent-install.openshift.io",
            "baremetalhosts.metal3.io",
            "clusterdeployments.hive.openshift.io",
            "clusterimagesets.hive.openshift.io",
            "clusters.cluster.x-k8s.io",
            "infraenvs.agent-install.openshift.io",
            "machinedeployments.cluster.x-k8s.io",
            "machines.cluster.x-k8s.io",
            "machinesets.cluster.x-k8s.io",
            "metal3clustertemplates.infrastructure.cluster.x-k8s.io",
            "metal3clusters.infrastructure.cluster.x-k8s.io",
            "metal3dataclaims.infrastructure.cluster.x-k8s.io",
            "metal3datas.infrastructure.cluster.x-k8s.io",
            "metal3datatemplates.infrastructure.cluster.x-k8s.io",
            "metal3machines.infrastructure.cluster.x-k8s.io",
            "metal3machinetemplates.infrastructure.cluster.x-k8s.io",
            "nmstateconfigs.agent-install.openshift.io");

    private LeanSchemas() {}

    /** All of them, as CustomResourceDefinitions. */
    static List<GenericKubernetesResource> all() {
        return NAMES.stream()
                .flatMap(name -> Manifests.resource("lean/" + name + ".yaml").stream())
                .toList();
    }
}
