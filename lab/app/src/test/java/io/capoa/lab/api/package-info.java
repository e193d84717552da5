/** Validation of our API on a real API server. */
@NullMarked
package io.capoa.lab.api;

import org.jspecify.annotations.NullMarked;
