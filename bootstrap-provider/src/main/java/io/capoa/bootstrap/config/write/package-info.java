/** The writes of a config's reconcile, and its deletion. */
@NullMarked
package io.capoa.bootstrap.config.write;

import org.jspecify.annotations.NullMarked;
