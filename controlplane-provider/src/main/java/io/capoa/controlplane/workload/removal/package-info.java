/** Takes a Node and its etcd member out of a cluster, in the order of its operators. */
@NullMarked
package io.capoa.controlplane.workload.removal;

import org.jspecify.annotations.NullMarked;
