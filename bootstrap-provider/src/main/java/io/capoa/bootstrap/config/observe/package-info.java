/** What a config's reconcile reads: the caches, and from them one observation. */
@NullMarked
package io.capoa.bootstrap.config.observe;

import org.jspecify.annotations.NullMarked;
