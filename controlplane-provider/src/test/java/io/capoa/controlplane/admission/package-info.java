@NullMarked
package io.capoa.controlplane.admission;

import org.jspecify.annotations.NullMarked;
