/** Tests of the manager process that need no API server. */
@NullMarked
package io.capoa.runtime.logging;

import org.jspecify.annotations.NullMarked;
