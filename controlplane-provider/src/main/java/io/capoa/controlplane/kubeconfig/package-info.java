/** The Secret through which Cluster API reaches the installed cluster. */
@NullMarked
package io.capoa.controlplane.kubeconfig;

import org.jspecify.annotations.NullMarked;
