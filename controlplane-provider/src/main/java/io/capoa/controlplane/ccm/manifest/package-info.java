/** Manifests as the linter sees them: files, objects, workloads, and what was found in them. */
@NullMarked
package io.capoa.controlplane.ccm.manifest;

import org.jspecify.annotations.NullMarked;
