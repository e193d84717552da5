/**
 * Simulated Cluster API core: Clusters, Machines, MachineDeployments and MachineSets, with its ordering and preflight
 * checks.
 */
@NullMarked
package io.capoa.lab.core;

import org.jspecify.annotations.NullMarked;
