/** The rules for the workloads of a cloud controller manager, grouped by what they look at. */
@NullMarked
package io.capoa.lint.rules;

import org.jspecify.annotations.NullMarked;
