/** Releases of an installed cluster: what it runs, and the request for another one. */
@NullMarked
package io.capoa.controlplane.workload.upgrade;

import org.jspecify.annotations.NullMarked;
