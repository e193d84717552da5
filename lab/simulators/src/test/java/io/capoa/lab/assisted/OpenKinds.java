package io.capoa.lab.assisted;

import io.capoa.lab.cluster.OpenKind;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceSubresources;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceSubresourcesBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Creates CRDs without field validation, for tests of the simulator. */
final class OpenKinds {

    private static final Map<String, String> KINDS = Map.of(
            "agents", "Agent v1beta1",
            "infraenvs", "InfraEnv v1beta1",
            "nmstateconfigs", "NMStateConfig v1beta1",
            "agentclusterinstalls", "AgentClusterInstall v1beta1",
            "clusterdeployments", "ClusterDeployment v1",
            "clusterimagesets", "ClusterImageSet v1",
            "baremetalhosts", "BareMetalHost v1alpha1");

    private static final CustomResourceSubresources STATUS =
            new CustomResourceSubresourcesBuilder().withNewStatus().endStatus().build();

    private OpenKinds() {}

    /** @param name such as {@code agents.agent-install.openshift.io} */
    static void define(KubernetesClient admin, String name) {
        String plural = name.substring(0, name.indexOf('.'));
        String[] kind = KINDS.get(plural).split(" ", 2);
        CustomResourceDefinition definition = new OpenKind(
                        name.substring(name.indexOf('.') + 1),
                        kind[1],
                        kind[0],
                        plural,
                        plural.equals("clusterimagesets") ? "Cluster" : "Namespaced")
                .definition();
        definition.getSpec().getVersions().getFirst().setSubresources(STATUS);
        admin.resource(definition).create();
        admin.resource(definition)
                .waitUntilCondition(
                        d -> d.getStatus() != null
                                && d.getStatus().getConditions() != null
                                && d.getStatus().getConditions().stream()
                                        .anyMatch(
                                                c -> "Established".equals(c.getType()) && "True".equals(c.getStatus())),
                        20,
                        TimeUnit.SECONDS);
    }
}
