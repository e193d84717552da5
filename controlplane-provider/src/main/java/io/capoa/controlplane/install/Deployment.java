package io.capoa.controlplane.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.ForeignObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Desired ClusterDeployment: name and base domain of the OpenShift cluster, and the reference to its
 * AgentClusterInstall.
 */
public final class Deployment {

    private static final String INSTALLED = "installed";
    private static final String METADATA = "clusterMetadata";

    private Deployment() {}

    /**
     * Builds the ClusterDeployment; it has the control plane's name.
     *
     * @param existing if present, its cluster name and base domain are kept, because they are immutable
     * @param metadata of an installed cluster that assisted-service does not know to be installed, so that it does
     *     not install it again; {@code null} otherwise
     * @param pullSecret name of the Secret with the pull secret, in the same namespace
     */
    public static ClusterDeployment desired(
            ControlPlaneIdentity identity,
            @Nullable ClusterDeployment existing,
            String pullSecret,
            @Nullable Map<String, Object> metadata) {
        ClusterDeploymentView has = ClusterDeploymentView.of(existing);
        Map<String, Object> spec = new TreeMap<>();
        spec.put("clusterName", firstOf(has.clusterName(), identity.openshiftClusterName()));
        spec.put("baseDomain", firstOf(has.baseDomain(), baseDomain(identity)));
        spec.put("platform", Map.of("agentBareMetal", Map.of("agentSelector", Map.of())));
        spec.put("pullSecretRef", Map.of("name", pullSecret));
        spec.put("clusterInstallRef", installReference(identity));
        if (metadata != null) {
            spec.put(INSTALLED, true);
        }
        if (metadata != null && !metadata.isEmpty()) {
            spec.put(METADATA, metadata);
        }
        return ForeignObject.of(
                new ClusterDeployment(),
                new ObjectMetaBuilder()
                        .withNamespace(identity.namespace())
                        .withName(identity.name())
                        .withLabels(identity.labels())
                        .withOwnerReferences(identity.owner())
                        .build(),
                spec);
    }

    private static Map<String, Object> installReference(ControlPlaneIdentity identity) {
        Map<String, Object> reference = new TreeMap<>();
        reference.put("group", HasMetadata.getGroup(AgentClusterInstall.class));
        reference.put("version", HasMetadata.getVersion(AgentClusterInstall.class));
        reference.put("kind", HasMetadata.getKind(AgentClusterInstall.class));
        reference.put("name", identity.name());
        return reference;
    }

    private static String baseDomain(ControlPlaneIdentity identity) {
        ClusterConfig config = identity.controlPlane().getSpec().config();
        return config == null ? "" : config.baseDomain();
    }

    private static String firstOf(@Nullable String has, String wanted) {
        return has == null ? wanted : has;
    }
}
