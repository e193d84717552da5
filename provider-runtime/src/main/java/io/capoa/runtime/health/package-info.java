/** Probe endpoints, readiness checks and the health of informer caches. */
@NullMarked
package io.capoa.runtime.health;

import org.jspecify.annotations.NullMarked;
