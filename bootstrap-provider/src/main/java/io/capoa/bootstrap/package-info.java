/** The bootstrap provider's process. */
@NullMarked
package io.capoa.bootstrap;

import org.jspecify.annotations.NullMarked;
