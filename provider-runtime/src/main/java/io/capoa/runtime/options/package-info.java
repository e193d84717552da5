/** The flags of a manager. */
@NullMarked
package io.capoa.runtime.options;

import org.jspecify.annotations.NullMarked;
