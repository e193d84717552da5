/** Recordings of real services, replayed to both providers on a real API server. */
@NullMarked
package io.capoa.lab.recorded;

import org.jspecify.annotations.NullMarked;
