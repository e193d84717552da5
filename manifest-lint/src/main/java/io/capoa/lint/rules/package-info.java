/** The rules of the linter, grouped by what they look at. */
@NullMarked
package io.capoa.lint.rules;

import org.jspecify.annotations.NullMarked;
