/** Computes conditions, status and Events from the results of a reconcile and writes them. */
@NullMarked
package io.capoa.controlplane.status;

import org.jspecify.annotations.NullMarked;
