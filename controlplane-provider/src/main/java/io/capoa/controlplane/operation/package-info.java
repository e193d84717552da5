/** The one decision about an installed control plane: which operation runs, and its next step. */
@NullMarked
package io.capoa.controlplane.operation;

import org.jspecify.annotations.NullMarked;
