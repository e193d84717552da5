/** Mirror registries of one cluster: what the user says about them, and what the installed cluster is told. */
@NullMarked
package io.capoa.controlplane.mirror;

import org.jspecify.annotations.NullMarked;
