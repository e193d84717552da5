/** The control plane API, hub and storage version. */
@NullMarked
package io.capoa.api.controlplane.v1beta1;

import org.jspecify.annotations.NullMarked;
