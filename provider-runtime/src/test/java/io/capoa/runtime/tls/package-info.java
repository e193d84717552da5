@NullMarked
package io.capoa.runtime.tls;

import org.jspecify.annotations.NullMarked;
