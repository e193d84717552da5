/** The step that upgrades an installed cluster. */
@NullMarked
package io.capoa.controlplane.steps.upgrade;

import org.jspecify.annotations.NullMarked;
