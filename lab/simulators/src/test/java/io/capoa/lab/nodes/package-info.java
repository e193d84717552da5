/** Tests of the connections to workload clusters. */
@NullMarked
package io.capoa.lab.nodes;

import org.jspecify.annotations.NullMarked;
