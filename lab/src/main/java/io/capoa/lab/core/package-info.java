/** Simulated Cluster API core: Clusters, Machines, MachineDeployments and MachineSets, with its order and refusals. */
@NullMarked
package io.capoa.lab.core;

import org.jspecify.annotations.NullMarked;
