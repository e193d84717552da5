/** Condition types and reasons keep to what the API server accepts. */
@NullMarked
package io.capoa.api.conditions;

import org.jspecify.annotations.NullMarked;
