/** Tests of the install steps. */
@NullMarked
package io.capoa.controlplane.steps.install;

import org.jspecify.annotations.NullMarked;
