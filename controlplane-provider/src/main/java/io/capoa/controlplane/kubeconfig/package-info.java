/** Desired kubeconfig Secret, through which Cluster API reaches the workload cluster. */
@NullMarked
package io.capoa.controlplane.kubeconfig;

import org.jspecify.annotations.NullMarked;
