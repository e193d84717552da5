/** What assisted-service installs a cluster from: ClusterImageSet, ClusterDeployment, AgentClusterInstall. */
@NullMarked
package io.capoa.controlplane.install;

import org.jspecify.annotations.NullMarked;
