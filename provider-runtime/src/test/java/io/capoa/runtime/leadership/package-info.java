@NullMarked
package io.capoa.runtime.leadership;

import org.jspecify.annotations.NullMarked;
