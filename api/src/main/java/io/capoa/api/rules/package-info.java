/** Validation rules that both providers apply to their objects, at admission and in the reconciler. */
@NullMarked
package io.capoa.api.rules;

import org.jspecify.annotations.NullMarked;
