/** Tests of outages. */
@NullMarked
package io.capoa.controlplane.steps.health;

import org.jspecify.annotations.NullMarked;
