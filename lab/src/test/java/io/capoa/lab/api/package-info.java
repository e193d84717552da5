/** Our API on a real API server: what it accepts, what it refuses and what it says then. */
@NullMarked
package io.capoa.lab.api;

import org.jspecify.annotations.NullMarked;
