/** Log format, levels and logback configuration of a manager. */
@NullMarked
package io.capoa.runtime.logging;

import org.jspecify.annotations.NullMarked;
