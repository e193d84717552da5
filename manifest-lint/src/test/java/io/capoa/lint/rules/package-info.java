@NullMarked
package io.capoa.lint.rules;

import org.jspecify.annotations.NullMarked;
