@NullMarked
package io.capoa.controlplane.operation;

import org.jspecify.annotations.NullMarked;
