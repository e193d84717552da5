/** Installed OpenShift clusters as far as their API shows them: nodes, cluster version, operators. */
@NullMarked
package io.capoa.lab.workload;

import org.jspecify.annotations.NullMarked;
