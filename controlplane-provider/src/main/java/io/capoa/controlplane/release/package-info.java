/** Resolves OpenShift and OKD releases: from the version a user asks for to an image digest and a Kubernetes version. */
@NullMarked
package io.capoa.controlplane.release;

import org.jspecify.annotations.NullMarked;
