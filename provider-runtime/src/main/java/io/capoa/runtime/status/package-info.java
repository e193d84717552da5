/** The one place that sets conditions and writes status. */
@NullMarked
package io.capoa.runtime.status;

import org.jspecify.annotations.NullMarked;
