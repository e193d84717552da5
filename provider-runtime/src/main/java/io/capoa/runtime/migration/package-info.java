/** Brings stored objects to the CRD's present storage version, as Cluster API core does for its own kinds. */
@NullMarked
package io.capoa.runtime.migration;

import org.jspecify.annotations.NullMarked;
