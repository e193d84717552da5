/** What an installed cluster says of itself: asked with its own kubeconfig, off the reconcile thread. */
@NullMarked
package io.capoa.controlplane.workload;

import org.jspecify.annotations.NullMarked;
