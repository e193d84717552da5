/** Upgrades of an installed cluster: what its ClusterVersion says, and the decision about the next step. */
@NullMarked
package io.capoa.controlplane.upgrade;

import org.jspecify.annotations.NullMarked;
