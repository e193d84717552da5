/** The control plane reconciler on a real API server; the tests play its neighbours. */
@NullMarked
package io.capoa.lab.controlplane;

import org.jspecify.annotations.NullMarked;
