/** Simulated OpenShift clusters: an API with Nodes, ClusterVersion, operators and etcd. */
@NullMarked
package io.capoa.lab.workload;

import org.jspecify.annotations.NullMarked;
