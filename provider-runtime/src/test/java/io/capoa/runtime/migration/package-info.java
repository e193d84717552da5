@NullMarked
package io.capoa.runtime.migration;

import org.jspecify.annotations.NullMarked;
