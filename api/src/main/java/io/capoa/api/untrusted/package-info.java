/** Limits for content of untrusted origin. */
@NullMarked
package io.capoa.api.untrusted;

import org.jspecify.annotations.NullMarked;
