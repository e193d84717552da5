/** The API server that tests and lab run on, tested by itself. */
@NullMarked
package io.capoa.lab.cluster;

import org.jspecify.annotations.NullMarked;
