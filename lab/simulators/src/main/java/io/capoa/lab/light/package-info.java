/** Cluster API core, Metal3 and hosts that write only what the providers read, for measurements with many clusters. */
@NullMarked
package io.capoa.lab.light;

import org.jspecify.annotations.NullMarked;
