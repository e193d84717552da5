/** Desired control plane Machines with infrastructure machines and configs, and scaling decisions. */
@NullMarked
package io.capoa.controlplane.machines;

import org.jspecify.annotations.NullMarked;
