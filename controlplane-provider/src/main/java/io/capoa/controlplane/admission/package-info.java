/** Admission rules for control planes and their templates. */
@NullMarked
package io.capoa.controlplane.admission;

import org.jspecify.annotations.NullMarked;
