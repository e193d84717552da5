/** Tests of the simulated Cluster API core. */
@NullMarked
package io.capoa.lab.core;

import org.jspecify.annotations.NullMarked;
