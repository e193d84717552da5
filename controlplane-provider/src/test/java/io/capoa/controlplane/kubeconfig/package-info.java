@NullMarked
package io.capoa.controlplane.kubeconfig;

import org.jspecify.annotations.NullMarked;
