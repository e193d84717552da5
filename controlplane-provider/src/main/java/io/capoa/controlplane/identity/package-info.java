/** Names, labels and owner references of what belongs to one control plane. */
@NullMarked
package io.capoa.controlplane.identity;

import org.jspecify.annotations.NullMarked;
