/** Nodes of workload clusters, accessed with the kubeconfig Secret, as Cluster API and Metal3 do. */
@NullMarked
package io.capoa.lab.nodes;

import org.jspecify.annotations.NullMarked;
