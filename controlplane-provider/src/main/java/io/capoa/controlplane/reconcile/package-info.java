/** The reconciler of OpenshiftAssistedControlPlane: observe, plan, apply, report. */
@NullMarked
package io.capoa.controlplane.reconcile;

import org.jspecify.annotations.NullMarked;
