/** Linter of the cloud controller manager that a user installs on platform External. */
@NullMarked
package io.capoa.lint;

import org.jspecify.annotations.NullMarked;
