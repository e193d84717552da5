/** Plan of an installation: what will fail, from the objects that are to be applied and the hosts that were inspected. */
@NullMarked
package io.capoa.controlplane.plan;

import org.jspecify.annotations.NullMarked;
