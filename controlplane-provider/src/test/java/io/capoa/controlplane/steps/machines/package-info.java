/** Tests of the Machine steps. */
@NullMarked
package io.capoa.controlplane.steps.machines;

import org.jspecify.annotations.NullMarked;
