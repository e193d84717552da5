/** Installation of Cluster API core and the providers with the real clusterctl and a local repository. */
@NullMarked
package io.capoa.lab.clusterctl;

import org.jspecify.annotations.NullMarked;
