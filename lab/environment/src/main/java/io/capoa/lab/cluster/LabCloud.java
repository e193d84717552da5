package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.stream.Stream;

/** What the author of the simulated cloud's infrastructure provider ships: CRDs with contract labels, and roles. */
final class LabCloud {

    private LabCloud() {}

    static List<GenericKubernetesResource> definitions() {
        return Stream.of("labcloudclusters", "labcloudmachines", "labcloudmachinetemplates")
                .flatMap(plural -> ManifestFiles.resource("cloud/" + plural + ".yaml").stream())
                .toList();
    }

    /** ClusterRoles that aggregate to those of Cluster API core and of the control-plane provider. */
    static List<GenericKubernetesResource> roles() {
        return ManifestFiles.resource("cloud/role.yaml");
    }
}
