/** Tests of the plan of a reconcile. */
@NullMarked
package io.capoa.controlplane.reconcile;

import org.jspecify.annotations.NullMarked;
