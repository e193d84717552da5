/** Shows how a control plane's state is decided and told. */
@NullMarked
package io.capoa.controlplane.controlplane;

import org.jspecify.annotations.NullMarked;
