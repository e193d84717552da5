/** Queries to workload clusters, with their own kubeconfig and off the reconcile threads. */
@NullMarked
package io.capoa.controlplane.workload;

import org.jspecify.annotations.NullMarked;
