/** Leader election: which of several replicas holds the Lease, and therefore reconciles. */
@NullMarked
package io.capoa.runtime.leadership;

import org.jspecify.annotations.NullMarked;
