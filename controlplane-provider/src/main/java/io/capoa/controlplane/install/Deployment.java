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

/** Desired ClusterDeployment: the name and domain of the OpenShift cluster, and what installs it. */
public final class Deployment {

    private static final String INSTALLED = "installed";
    private static final String METADATA = "clusterMetadata";

    private Deployment() {}

    /**
     * The ClusterDeployment of a control plane; it has the control plane's name.
     *
     * @param existing the object there is: the cluster's name and domain do not change once it exists
     * @param metadata of the cluster if that is installed and assisted-service may not know, so that it does not install
     *     it anew; {@code null} otherwise
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
