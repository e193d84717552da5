/** Decisions of a simulated cluster's upgrade: cluster-version operator, update graph and machine config pools. */
@NullMarked
package io.capoa.lab.upgrade;

import org.jspecify.annotations.NullMarked;
