/** Conversion of our kinds between v1beta1, the stored version, and the API versions of the Go provider: pure functions. */
@NullMarked
package io.capoa.api.conversion;

import org.jspecify.annotations.NullMarked;
