@NullMarked
package io.capoa.controlplane.upgrade;

import org.jspecify.annotations.NullMarked;
