/**
 * A node without containers: runs the pods of known images as local processes, with the arguments, environment, volumes,
 * probes and ServiceAccount that the pod asks for. Replicas, roll-outs and the status of Deployments are the work of the
 * real kube-controller-manager.
 */
@NullMarked
package io.capoa.lab.pods;

import org.jspecify.annotations.NullMarked;
