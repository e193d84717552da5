package io.capoa.controlplane.install;

import io.capoa.api.contract.Cluster;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The input for the desired AgentClusterInstall, besides the existing one.
 *
 * @param workers worker hosts to install together with the control plane
 * @param overrides install-config override, JSON
 * @param imageSet name of the ClusterImageSet
 * @param installed whether the cluster is installed, whatever assisted-service reports
 */
public record InstallRequest(
        ControlPlaneIdentity identity,
        Cluster cluster,
        int workers,
        @Nullable String overrides,
        String imageSet,
        boolean installed) {}
