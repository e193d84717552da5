/** Fixture of observations. */
@NullMarked
package io.capoa.controlplane.observe;

import org.jspecify.annotations.NullMarked;
