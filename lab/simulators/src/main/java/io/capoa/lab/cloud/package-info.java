/** Simulates a cloud and its infrastructure provider: load balancers, instances, zones. */
@NullMarked
package io.capoa.lab.cloud;

import org.jspecify.annotations.NullMarked;
