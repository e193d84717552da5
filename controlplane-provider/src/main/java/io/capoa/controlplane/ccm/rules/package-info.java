/** The rules of the linter, grouped by what they look at. */
@NullMarked
package io.capoa.controlplane.ccm.rules;

import org.jspecify.annotations.NullMarked;
