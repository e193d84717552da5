/** Judges the health of an installed control plane. */
@NullMarked
package io.capoa.controlplane.steps.health;

import org.jspecify.annotations.NullMarked;
