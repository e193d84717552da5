@NullMarked
package io.capoa.controlplane.controlplane;

import org.jspecify.annotations.NullMarked;
