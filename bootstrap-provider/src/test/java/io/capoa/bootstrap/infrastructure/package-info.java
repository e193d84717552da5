/** Tests of what an infrastructure provider decides about a Machine's host. */
@NullMarked
package io.capoa.bootstrap.infrastructure;

import org.jspecify.annotations.NullMarked;
