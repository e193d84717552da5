@NullMarked
package io.capoa.runtime.access;

import org.jspecify.annotations.NullMarked;
