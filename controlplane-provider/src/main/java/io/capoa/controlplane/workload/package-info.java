/** What is read of an installed cluster, with its own kubeconfig and off the reconcile threads. */
@NullMarked
package io.capoa.controlplane.workload;

import org.jspecify.annotations.NullMarked;
