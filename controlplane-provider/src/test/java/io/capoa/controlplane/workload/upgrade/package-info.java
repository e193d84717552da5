/** What is asked of installed clusters, and what is decided from it. */
@NullMarked
package io.capoa.controlplane.workload.upgrade;

import org.jspecify.annotations.NullMarked;
