/** Manifests as the linter sees them: files, objects, workloads, and what was found in them. */
@NullMarked
package io.capoa.lint.manifest;

import org.jspecify.annotations.NullMarked;
