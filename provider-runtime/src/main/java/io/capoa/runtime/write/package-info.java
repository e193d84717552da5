/** The one place that writes objects, and what decides whether a write is needed. */
@NullMarked
package io.capoa.runtime.write;

import org.jspecify.annotations.NullMarked;
