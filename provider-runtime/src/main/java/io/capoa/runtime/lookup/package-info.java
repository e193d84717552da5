/** Asynchronous lookups: one running attempt a key, repeated with pauses, the answer kept. */
@NullMarked
package io.capoa.runtime.lookup;

import org.jspecify.annotations.NullMarked;
