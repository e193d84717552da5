@NullMarked
package io.capoa.runtime.lookup;

import org.jspecify.annotations.NullMarked;
