/** A real Kubernetes API server: started here, in a container, or already running. */
@NullMarked
package io.capoa.lab.cluster;

import org.jspecify.annotations.NullMarked;
