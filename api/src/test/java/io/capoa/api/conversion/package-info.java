/** Conversions between API versions: examples, and properties over generated objects. */
@NullMarked
package io.capoa.api.conversion;

import org.jspecify.annotations.NullMarked;
