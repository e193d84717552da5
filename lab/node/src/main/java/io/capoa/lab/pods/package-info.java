/**
 * A node without containers: runs the pods of known images as local processes, with the arguments, environment,
 * volumes, probes and ServiceAccount of the pod. The real kube-controller-manager handles Deployments and ReplicaSets.
 */
@NullMarked
package io.capoa.lab.pods;

import org.jspecify.annotations.NullMarked;
