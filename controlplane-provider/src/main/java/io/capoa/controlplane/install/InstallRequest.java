package io.capoa.controlplane.install;

import io.capoa.api.contract.Cluster;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import org.jspecify.annotations.Nullable;

/**
 * What an AgentClusterInstall is computed from, besides the one there is.
 *
 * @param workers worker hosts to install together with the control plane
 * @param overrides JSON for the installer's configuration
 * @param imageSet name of the ClusterImageSet
 * @param installed whether the cluster is installed, whatever assisted-service says
 */
public record InstallRequest(
        ControlPlaneIdentity identity,
        Cluster cluster,
        int workers,
        @Nullable String overrides,
        String imageSet,
        boolean installed) {}
