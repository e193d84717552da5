/** Linter of the cloud controller manager that a user installs on platform External. */
@NullMarked
package io.capoa.controlplane.ccm;

import org.jspecify.annotations.NullMarked;
