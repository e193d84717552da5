/** Desired install objects: ClusterImageSet, ClusterDeployment, AgentClusterInstall. */
@NullMarked
package io.capoa.controlplane.install;

import org.jspecify.annotations.NullMarked;
