@NullMarked
package io.capoa.lint;

import org.jspecify.annotations.NullMarked;
