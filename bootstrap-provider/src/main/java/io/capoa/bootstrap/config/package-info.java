/** The reconciler of OpenshiftAssistedConfigs. */
@NullMarked
package io.capoa.bootstrap.config;

import org.jspecify.annotations.NullMarked;
