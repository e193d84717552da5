@NullMarked
package io.capoa.controlplane.plan;

import org.jspecify.annotations.NullMarked;
