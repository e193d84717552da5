/** Connections to workload clusters: kubeconfig, trust, kept clients, exec, and queries in the background. */
@NullMarked
package io.capoa.controlplane.workload.client;

import org.jspecify.annotations.NullMarked;
