/** Simulated Metal3: cluster-api-provider-metal3 and baremetal-operator as seen from the API, and a rack of hosts. */
@NullMarked
package io.capoa.lab.metal3;

import org.jspecify.annotations.NullMarked;
