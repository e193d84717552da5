@NullMarked
package io.capoa.controlplane.machines;

import org.jspecify.annotations.NullMarked;
