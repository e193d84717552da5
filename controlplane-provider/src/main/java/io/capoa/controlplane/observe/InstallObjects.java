package io.capoa.controlplane.observe;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.fabric8.kubernetes.api.model.Secret;
import org.jspecify.annotations.Nullable;

/**
 * The objects that assisted-service installs from, and the kubeconfig that it publishes.
 *
 * @param imageSetName name of the ClusterImageSet that the installation uses, whether it exists or not
 * @param kubeconfig the Secret {@code <cluster>-kubeconfig}
 */
public record InstallObjects(
        @Nullable ClusterDeployment deployment,
        @Nullable AgentClusterInstall install,
        String imageSetName,
        @Nullable ClusterImageSet imageSet,
        @Nullable Secret kubeconfig) {}
