@NullMarked
package io.capoa.controlplane.ccm.manifest;

import org.jspecify.annotations.NullMarked;
