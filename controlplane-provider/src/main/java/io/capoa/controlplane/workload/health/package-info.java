/** Health of an installed control plane: API server, etcd, operators, static pods and cloud controller manager. */
@NullMarked
package io.capoa.controlplane.workload.health;

import org.jspecify.annotations.NullMarked;
