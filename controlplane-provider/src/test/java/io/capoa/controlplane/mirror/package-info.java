@NullMarked
package io.capoa.controlplane.mirror;

import org.jspecify.annotations.NullMarked;
