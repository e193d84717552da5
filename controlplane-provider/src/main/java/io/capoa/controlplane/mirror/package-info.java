/** Mirror registries of one cluster: parsing, and the manifests for the installed cluster. */
@NullMarked
package io.capoa.controlplane.mirror;

import org.jspecify.annotations.NullMarked;
