/** Tests of the Machine steps. */
@NullMarked
package io.capoa.controlplane.steps.upgrade;

import org.jspecify.annotations.NullMarked;
