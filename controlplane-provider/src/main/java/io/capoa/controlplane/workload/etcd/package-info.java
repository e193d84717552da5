/** Members of etcd, the commands that read and change them, and the operator's quorum guard. */
@NullMarked
package io.capoa.controlplane.workload.etcd;

import org.jspecify.annotations.NullMarked;
