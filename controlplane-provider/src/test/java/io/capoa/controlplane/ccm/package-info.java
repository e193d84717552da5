@NullMarked
package io.capoa.controlplane.ccm;

import org.jspecify.annotations.NullMarked;
