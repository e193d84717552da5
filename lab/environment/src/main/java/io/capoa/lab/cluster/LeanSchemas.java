package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;

/**
 * The lab's own CRDs for third-party kinds: structural schemas reduced to what the providers and the simulated
 * peers read or write. A test checks that the publisher's CRD has every field with the same type.
 */
final class LeanSchemas {

    private static final List<String> NAMES = List.of(
            "agentclusterinstalls.extensions.hive.openshift.io",
            "agents.agent-install.openshift.io",
            "baremetalhosts.metal3.io",
            "clusterdeployments.hive.openshift.io",
            "clusterimagesets.hive.openshift.io",
            "clusters.cluster.x-k8s.io",
            "extensionconfigs.runtime.cluster.x-k8s.io",
            "hardwaredata.metal3.io",
            "infraenvs.agent-install.openshift.io",
            "machinedeployments.cluster.x-k8s.io",
            "machinehealthchecks.cluster.x-k8s.io",
            "machines.cluster.x-k8s.io",
            "machinesets.cluster.x-k8s.io",
            "metal3clustertemplates.infrastructure.cluster.x-k8s.io",
            "metal3clusters.infrastructure.cluster.x-k8s.io",
            "metal3dataclaims.infrastructure.cluster.x-k8s.io",
            "metal3datas.infrastructure.cluster.x-k8s.io",
            "metal3datatemplates.infrastructure.cluster.x-k8s.io",
            "metal3machines.infrastructure.cluster.x-k8s.io",
            "metal3machinetemplates.infrastructure.cluster.x-k8s.io",
            "metal3remediations.infrastructure.cluster.x-k8s.io",
            "metal3remediationtemplates.infrastructure.cluster.x-k8s.io",
            "nmstateconfigs.agent-install.openshift.io");

    private LeanSchemas() {}

    /** Whether the lab has a reduced schema of the kind, which it has of every third-party kind in use. */
    static boolean covers(GenericKubernetesResource definition) {
        return NAMES.contains(definition.getMetadata().getName());
    }

    /** All CustomResourceDefinitions. */
    static List<GenericKubernetesResource> all() {
        return NAMES.stream()
                .flatMap(name -> ManifestFiles.resource("lean/" + name + ".yaml").stream())
                .toList();
    }
}
