/** Valid objects in one line, for tests that change only what they are about. */
@NullMarked
package io.capoa.controlplane.testing;

import org.jspecify.annotations.NullMarked;
