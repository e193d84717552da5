@NullMarked
package io.capoa.runtime.memory;

import org.jspecify.annotations.NullMarked;
