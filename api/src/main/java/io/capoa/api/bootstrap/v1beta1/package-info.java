/** The bootstrap API, hub and storage version. */
@NullMarked
package io.capoa.api.bootstrap.v1beta1;

import org.jspecify.annotations.NullMarked;
