/** Serving TLS with certificates that may appear, change and be made at any time; what clients offer. */
@NullMarked
package io.capoa.runtime.tls;

import org.jspecify.annotations.NullMarked;
