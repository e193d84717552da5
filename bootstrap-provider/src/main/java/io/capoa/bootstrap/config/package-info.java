/** The reconciler of OpenshiftAssistedConfigs: what it observes, what it decides, what it reports. */
@NullMarked
package io.capoa.bootstrap.config;

import org.jspecify.annotations.NullMarked;
