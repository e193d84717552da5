@NullMarked
package io.capoa.controlplane.install;

import org.jspecify.annotations.NullMarked;
