/** Control plane Machines with their infrastructure machines and configs: which are missing, and what they look like. */
@NullMarked
package io.capoa.controlplane.machines;

import org.jspecify.annotations.NullMarked;
