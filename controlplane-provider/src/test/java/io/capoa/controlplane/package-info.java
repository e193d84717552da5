/** What the process is made of. */
@NullMarked
package io.capoa.controlplane;

import org.jspecify.annotations.NullMarked;
