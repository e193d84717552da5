/** The management cluster of the tests on k3s in a container. */
@NullMarked
package io.capoa.lab.cluster.k3s;

import org.jspecify.annotations.NullMarked;
