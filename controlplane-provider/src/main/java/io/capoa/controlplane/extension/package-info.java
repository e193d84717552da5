/** A runtime extension of Cluster API: workers follow an upgrade in place. */
@NullMarked
package io.capoa.controlplane.extension;

import org.jspecify.annotations.NullMarked;
