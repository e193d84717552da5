/** What the ignition package promises. */
@NullMarked
package io.capoa.bootstrap.ignition;

import org.jspecify.annotations.NullMarked;
