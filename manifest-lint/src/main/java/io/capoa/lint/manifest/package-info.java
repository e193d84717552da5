/** Manifests of users: files, the objects in them, and what cannot be read. */
@NullMarked
package io.capoa.lint.manifest;

import org.jspecify.annotations.NullMarked;
