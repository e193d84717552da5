/** Cluster API as its users install it: clusterctl, a local repository for it, and what core consists of. */
@NullMarked
package io.capoa.lab.clusterctl;

import org.jspecify.annotations.NullMarked;
