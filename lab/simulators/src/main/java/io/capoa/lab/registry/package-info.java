/** A simulated container registry that has every OpenShift and OKD release. */
@NullMarked
package io.capoa.lab.registry;

import org.jspecify.annotations.NullMarked;
