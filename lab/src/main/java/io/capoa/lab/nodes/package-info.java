/** Nodes of workload clusters, reached the way Cluster API and Metal3 reach them: by the kubeconfig secret. */
@NullMarked
package io.capoa.lab.nodes;

import org.jspecify.annotations.NullMarked;
