/** Names, labels and owner references of the objects of one control plane. */
@NullMarked
package io.capoa.controlplane.identity;

import org.jspecify.annotations.NullMarked;
