/** Reconciles OpenshiftAssistedControlPlanes: observe, decide, apply, report. */
@NullMarked
package io.capoa.controlplane.controlplane;

import org.jspecify.annotations.NullMarked;
