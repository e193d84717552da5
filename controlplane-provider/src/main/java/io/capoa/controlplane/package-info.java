/** The control plane provider's process. */
@NullMarked
package io.capoa.controlplane;

import org.jspecify.annotations.NullMarked;
