@NullMarked
package io.capoa.runtime.failure;

import org.jspecify.annotations.NullMarked;
