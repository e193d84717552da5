/** Steps that apply control plane Machines: create, propagate in place, scale down, remove nodes. */
@NullMarked
package io.capoa.controlplane.steps.machines;

import org.jspecify.annotations.NullMarked;
