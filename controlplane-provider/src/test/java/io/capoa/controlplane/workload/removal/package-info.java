/** What is asked of installed clusters, and what is decided from it. */
@NullMarked
package io.capoa.controlplane.workload.removal;

import org.jspecify.annotations.NullMarked;
