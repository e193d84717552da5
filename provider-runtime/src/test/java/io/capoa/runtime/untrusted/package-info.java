@NullMarked
package io.capoa.runtime.untrusted;

import org.jspecify.annotations.NullMarked;
