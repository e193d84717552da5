/** Steps that apply the install objects: release, user inputs, AgentClusterInstall, retry, kubeconfig. */
@NullMarked
package io.capoa.controlplane.steps.install;

import org.jspecify.annotations.NullMarked;
