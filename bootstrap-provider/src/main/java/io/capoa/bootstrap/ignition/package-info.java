/** Ignition configurations: read, merged and composed, without the loss of a field. */
@NullMarked
package io.capoa.bootstrap.ignition;

import org.jspecify.annotations.NullMarked;
