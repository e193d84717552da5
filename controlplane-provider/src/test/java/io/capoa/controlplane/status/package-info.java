/** Tests of conditions and messages. */
@NullMarked
package io.capoa.controlplane.status;

import org.jspecify.annotations.NullMarked;
